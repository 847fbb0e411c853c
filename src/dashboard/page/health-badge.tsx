import { answerOf, api } from './client.ts'
import { useData } from './kit/data.ts'
import { Remembered } from './kit/remembered.tsx'

/** Whether memory can be searched, in a word; what that means and what to do opens on a click or by keyboard. */
export function HealthBadge() {
  const { data, trouble } = useData('health', () => answerOf(api.overview.health.$get()), ['settings'])
  if (trouble) return <span class="badge warn">health unknown</span>
  if (!data) return <span class="badge plain">looking…</span>
  const { badge, storage } = data
  const { active, label, meaning, details, hint } = badge
  return (
    <>
      <button
        type="button"
        class={`badge health ${active ? 'good' : 'plain'}`}
        title={`${meaning} ${details}`}
        popovertarget="health-details"
      >
        <span aria-hidden="true">{active ? '●' : '○'}</span> {label}
      </button>
      <div id="health-details" class="health-details" popover="auto">
        <p>
          <strong>{meaning}</strong>
        </p>
        <p class="dim">
          <Remembered text={details} />
        </p>
        {hint && (
          <p>
            → <Remembered text={hint} />
          </p>
        )}
        <p>
          {storage.ok
            ? 'Knowledge and conversations can be read.'
            : 'Knowledge and conversations cannot be read.'}{' '}
          <span class="dim">
            <Remembered text={storage.detail} />
          </span>
        </p>
        <a href="/doctor">Look closer: doctor</a>
      </div>
    </>
  )
}
