import { useEffect, useState } from 'preact/hooks'
import { answerOf, api, type Trouble } from '../../client.ts'
import { asTrouble } from '../../kit/data.ts'

const named = (check: string) => ({ param: { check: encodeURIComponent(check) } })

const lookAt = (check: string) => answerOf(api.doctor[':check'].$get(named(check)))
export const mend = (check: string) => answerOf(api.doctor[':check'].mend.$post(named(check)))

export type Finding = Awaited<ReturnType<typeof lookAt>>

export interface Examination {
  checks: readonly string[]
  findings: ReadonlyMap<string, Finding>
  /** What is being looked at now. */
  current: string | undefined
  trouble: Trouble | undefined
  again: () => void
  /** Another finding in place of the former of the same check. */
  put: (finding: Finding) => void
}

/** Asks for one check after the other: some take a while, and what is found is shown at once. */
export function useExamination(): Examination {
  const [round, setRound] = useState(0)
  const [checks, setChecks] = useState<readonly string[]>([])
  const [findings, setFindings] = useState<ReadonlyMap<string, Finding>>(new Map())
  const [current, setCurrent] = useState<string>()
  const [trouble, setTrouble] = useState<Trouble>()
  const put = (finding: Finding) => setFindings((before) => new Map(before).set(finding.check, finding))
  useEffect(() => {
    let ended = false
    setFindings(new Map())
    setTrouble(undefined)
    const look = async () => {
      const { checks: names } = await answerOf(api.doctor.$get())
      if (!ended) setChecks(names)
      for (const check of names) {
        if (ended) return
        setCurrent(check)
        const finding = await lookAt(check)
        if (!ended) put(finding)
      }
    }
    look()
      .catch((error: unknown) => {
        if (!ended) setTrouble(asTrouble(error))
      })
      .finally(() => {
        if (!ended) setCurrent(undefined)
      })
    return () => {
      ended = true
    }
  }, [round])
  return { checks, findings, current, trouble, again: () => setRound((before) => before + 1), put }
}
