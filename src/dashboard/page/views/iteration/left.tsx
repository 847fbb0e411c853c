import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { featureHref, iterationHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { journalOf } from '../feature/ask.ts'
import { LifeBadge } from '../feature/errors.tsx'
import { Provenance } from '../feature/learning-card.tsx'
import { askIteration, type IterationAnswer, type LeftAnswer, type Which } from './ask.ts'

/** Its own words, what is left to do, the errors it left or solved, and what it taught. */
export function Left({ which, answer }: { which: Which; answer: IterationAnswer }) {
  const { words, record } = answer
  const { feature } = which
  const loaded = useData(JSON.stringify(['left', which]), (signal) => askIteration(which).left(signal), [
    'board',
    journalOf(feature),
  ])
  const { begun = [], detail } = record.ending
  return (
    <>
      <blockquote class="own">
        <Remembered text={words.said || record.summary} />
      </blockquote>
      {words.left && (
        <p>
          <strong>Left to do:</strong> <Remembered text={words.left} />
        </p>
      )}
      {begun.length > 0 && (
        <p>
          <strong>It was just changing</strong> <Remembered text={begun.join(', ')} />; whether that was done
          nobody saw.
        </p>
      )}
      {detail && (
        <p class="dim">
          The program’s own words at the end: <Remembered text={detail} />
        </p>
      )}
      <Shown loaded={loaded}>
        {({ errors, learnings }) => (
          <>
            <ErrorsLeft feature={feature} errors={errors} />
            <h3>Learnings that came from it</h3>
            {learnings.length === 0 ? (
              <p class="dim">None.</p>
            ) : (
              <ul class="bare">
                {learnings.map((learning) => (
                  <li key={learning.id}>
                    <p class="words">
                      <a href={featureHref(feature, { tab: 'learnings', learning: learning.id })}>
                        <Remembered text={learning.text} />
                      </a>
                    </p>
                    <Provenance feature={feature} learning={learning} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

function ErrorsLeft({ feature, errors }: { feature: string; errors: LeftAnswer['errors'] }) {
  return (
    <>
      <h3>Errors, and what became of them</h3>
      {errors.length === 0 ? (
        <p class="dim">It met none and solved none.</p>
      ) : (
        <ul class="bare">
          {errors.map((error) => (
            <li key={error.id}>
              <span class="line">
                <LifeBadge life={error.life} />
                <a href={featureHref(feature, { tab: 'errors', error: error.id })}>
                  <Remembered text={error.message.trim().split('\n', 1)[0]!} />
                </a>
              </span>
              <span class="dim">
                <Part feature={feature} error={error} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What this iteration had to do with it. */
function Part({ feature, error }: { feature: string; error: LeftAnswer['errors'][number] }) {
  const { met, first, cameBack, solved } = error
  const link = (number: number) => <a href={iterationHref(feature, number)}>iteration {number}</a>
  return (
    <>
      {cameBack ? 'it came back here' : first ? 'first seen here' : met ? 'met here again' : ''}
      {solved && (met || cameBack) && '; '}
      {solved && (
        <>
          <Badge tone={solved.cameBackIn ? 'warn' : 'good'}>✓ solved</Badge>{' '}
          {solved.byThis
            ? 'by the changes of this one'
            : 'shown here; nothing says that it was this one’s work'}
          :{' '}
          <code>
            <Remembered text={solved.check} />
          </code>{' '}
          no longer reported it in {link(solved.shownIn)}
          {solved.cameBackIn !== undefined && <>; back in {link(solved.cameBackIn)}</>}
        </>
      )}
    </>
  )
}
