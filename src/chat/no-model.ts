import { RalphError } from '../errors.ts'
import { installCommand } from '../installation.ts'

export function noModel(): RalphError {
  return new RalphError('unavailable', 'no language model is configured, so there is nobody to answer', {
    hint: howToConfigure(),
  })
}

export function howToConfigure(): string {
  return [
    'Set one of these and start the chat again:',
    `  RALPH_MODEL_PROVIDER=anthropic ANTHROPIC_API_KEY=…   (${installCommand('@anthropic-ai/sdk')})`,
    `  RALPH_MODEL_PROVIDER=openai OPENAI_API_KEY=…         (${installCommand('openai')})`,
    '  RALPH_MODEL_PROVIDER=ollama RALPH_MODEL=llama3.2     (a running Ollama)',
    'or set it for good: ralph config set language_model.provider anthropic',
  ].join('\n')
}
