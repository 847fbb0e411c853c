import { dollars } from '../../charts/numbers.ts'
import { outcomeWords } from '../../charts/outcome-look.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { featureHref } from '../../kit/memory-address.ts'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { askAbout, journalOf, type TaskLine } from './ask.ts'

const STATUS_TONES: Record<string, Tone> = { done: 'good', blocked: 'bad', in_progress: 'accent' }

/** The feature's tasks, each with the work that went into it. */
export function Tasks({ feature }: { feature: string }) {
  const parts = ['board', journalOf(feature)] as const
  const first = useData(`tasks ${feature}`, (signal) => askAbout(feature).tasks({}, signal), parts)
  const { items, more, trouble } = useMore(first, (after) => askAbout(feature).tasks({ after }))
  return (
    <Shown loaded={first}>
      {() =>
        items.length === 0 ? (
          <Empty command={`ralph task add "…" --feature ${JSON.stringify(feature)}`}>No tasks yet.</Empty>
        ) : (
          <>
            <List
              items={items}
              label="Tasks"
              keyOf={({ id }) => `${id}`}
              hrefOf={({ id, work }) => (work ? featureHref(feature, { task: `${id}` }) : undefined)}
            >
              {(task) => <TaskFacts task={task} />}
            </List>
            <More more={more} trouble={trouble} />
          </>
        )
      }
    </Shown>
  )
}

function TaskFacts({ task }: { task: TaskLine }) {
  const { id, work } = task
  return (
    <>
      <span class="line">
        {'status' in task ? (
          <>
            <Badge tone={STATUS_TONES[task.status]}>{task.status.replaceAll('_', ' ')}</Badge>
            <strong>
              {id} · <Remembered text={task.title} />
            </strong>
            {task.blockedBy.length > 0 && <span class="dim">after {task.blockedBy.join(', ')}</span>}
          </>
        ) : (
          <strong>
            {id === 0 ? 'Reviews and sessions without a task' : `${id} · no longer on the board`}
          </strong>
        )}
        {work && (
          <span class="end dim">
            <Time at={work.last} />
          </span>
        )}
      </span>
      <span class="dim">
        {work
          ? `${work.iterations} ${work.iterations === 1 ? 'iteration' : 'iterations'}: ${outcomeWords(work.outcomes)}${work.costUsd > 0 ? ` · ${dollars(work.costUsd)}` : ''}`
          : 'nobody has worked on it yet'}
      </span>
    </>
  )
}
