import type { LanguageModel } from '../language-model/language-model.ts'
import { ok, problem, type Result } from './finding.ts'
import { healthOf, type PartHealth } from './status.ts'

export type LanguageModelSource = () => Promise<LanguageModel | undefined>

/** Undefined while none is configured. */
export async function languageModelStatus(parts: {
  languageModel: LanguageModelSource
}): Promise<PartHealth | undefined> {
  let isNone = false
  const health = await healthOf(async () => {
    const model = await parts.languageModel()
    isNone = model === undefined
    return model?.check() ?? { ok: true, detail: 'none' }
  })
  return isNone ? undefined : health
}

export async function checkLanguageModel(parts: { languageModel: LanguageModelSource }): Promise<Result> {
  const health = await languageModelStatus(parts)
  if (!health) return ok('none is set: summaries are made of sentences picked here')
  const means = 'The chat does not answer, and summaries wait until it is back.'
  return health.ok ? ok(health.detail) : problem(health.detail, health.hint, means)
}
