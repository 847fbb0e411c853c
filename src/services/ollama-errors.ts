import { RalphError } from '../errors.ts'
import { shownUrl } from '../text/shown-url.ts'
import type { Answered, Service } from './service.ts'

/** What a model of Ollama is wanted for. */
export type OllamaUse = 'embedding' | 'chat'

const SETTING = { embedding: 'embedder', chat: 'language_model' } as const
const EXAMPLE = { embedding: 'nomic-embed-text', chat: 'llama3.2' } as const
const KIND = { embedding: 'an embedding model', chat: 'a model that chats' } as const

const CRASH_HINT =
  "Ask again: Ollama starts it anew. If it goes on like this, take a smaller model, or look at Ollama's log."

interface Known {
  when: (answer: Answered, use: OllamaUse, service: Service) => boolean
  make: (answer: Answered, service: Service, use: OllamaUse) => RalphError
}

/** What Ollama answers, the first that fits, and what it takes to mend it. */
const KNOWN: readonly Known[] = [
  {
    when: ({ status, said }) => status === 501 || /not support embedding/i.test(said),
    make: (_, service) =>
      wrongModel(`${service.model} makes no embeddings: it is a model that chats`, 'embedding'),
  },
  {
    when: ({ said }) => /not support (?:chat|generate|completion)/i.test(said),
    make: (_, service) => wrongModel(`${service.model} does not chat: it only makes embeddings`, 'chat'),
  },
  {
    when: ({ said }) => /invalid model name|model is required|either :local or :cloud/i.test(said),
    make: (_, { model }, use) => wrongModel(`${JSON.stringify(model)} is no name of a model`, use),
  },
  {
    when: ({ said }) => /not support tools/i.test(said),
    make: (_, service, use) => wrongModel(`${service.model} cannot call tools`, use),
  },
  {
    when: ({ said }) => /exceeds? the available context|longer than the context/i.test(said),
    make: (_, { model }) =>
      new RalphError('invalid_input', `the prompt is longer than ${model} takes`, {
        hint: 'Shorten it, or set language_model.model to a model with a larger context.',
      }),
  },
  {
    when: ({ status, said }) => status === 404 && !/\bmodel\b/i.test(said),
    make: (_, service, use) => wrongAddress(service, use),
  },
  {
    when: ({ status }) => status === 404,
    make: (_, { model, hints }) => new RalphError('not_found', `${model} not found`, { hint: hints.model }),
  },
  {
    // No gateway of one's own wants a key here.
    when: ({ status, said }, _, { model }) =>
      (status === 401 || status === 403) && /cloud/i.test(`${model} ${said}`),
    make: ({ status, said }, { model }) =>
      new RalphError('unavailable', `Ollama does not run ${model} in its cloud (${status}): ${said}`, {
        hint: 'Run: ollama signin. Or take a model that runs on this machine.',
      }),
  },
  {
    when: ({ status, said }) => status === 503 && /busy|pending requests/i.test(said),
    make: () =>
      new RalphError('unavailable', 'Ollama has too many requests waiting (503)', {
        hint: 'Wait a little; what could not be done is caught up later. OLLAMA_MAX_QUEUE of the server says how many may wait.',
        retryable: true,
      }),
  },
  {
    when: ({ said }) =>
      /more system memory|out[ -]of[ -]memory|unable to allocate|failed to allocate/i.test(said),
    make: ({ said }, { model }) =>
      new RalphError('unavailable', `Ollama has too little memory for ${model}: ${said}`, {
        hint: 'Free some memory, or take a smaller model; a shorter prompt needs less, too.',
        retryable: true,
      }),
  },
  {
    when: ({ said }) => /\btool[ _]calls?\b/i.test(said),
    make: ({ said }, { model }) =>
      new RalphError('unavailable', `${model} called a tool in a way that Ollama cannot read: ${said}`, {
        hint: 'Ask again, or set language_model.model to a model that knows tools better.',
        retryable: true,
      }),
  },
  {
    when: ({ said }) =>
      /\bEOF\b|runner (?:process )?has|llama-server|llm server (?:error|not responding)|no slots|while running the model|connection re(?:set|fused)|forcibly closed/i.test(
        said,
      ),
    make: ({ said, midway }, { model }) =>
      new RalphError(
        'unavailable',
        `Ollama's runner of ${model} stopped${midway ? ' in the middle of its answer' : ''}: ${said}`,
        { hint: CRASH_HINT, retryable: true },
      ),
  },
  {
    // It answers, so it need not be started; what a gateway says of it is another matter.
    when: ({ status }) => status >= 500 && !GATEWAY.has(status),
    make: ({ status, said, midway }, { model }) =>
      new RalphError(
        'unavailable',
        `Ollama failed with ${model}${midway ? ' in the middle of its answer' : ''} (${status}): ${said}`,
        { hint: CRASH_HINT, retryable: true },
      ),
  },
  {
    // Whatever goes wrong with the runner comes as a bad request here, too.
    when: ({ status, said }, use) => use === 'embedding' && status === 400 && !NAMED_INVALID.test(said),
    make: ({ said }, { model }) =>
      new RalphError('unavailable', `Ollama could not embed with ${model} (400): ${said}`, {
        hint: CRASH_HINT,
        retryable: true,
      }),
  },
]

const GATEWAY = new Set([502, 503, 504])

/** The caller's own mistakes. */
const NAMED_INVALID =
  /invalid (?:input|model|character|format|request)|model is required|missing request body|unmarshal|context length/i

export function ollamaError(answer: Answered, service: Service, use: OllamaUse): RalphError | undefined {
  return KNOWN.find(({ when }) => when(answer, use, service))?.make(answer, service, use)
}

function wrongModel(message: string, use: OllamaUse): RalphError {
  const example = EXAMPLE[use]
  return new RalphError('invalid_input', message, {
    hint: `Set ${SETTING[use]}.model to ${KIND[use]}, e.g. ${example} (ollama pull ${example}).`,
  })
}

function wrongAddress({ url }: Service, use: OllamaUse): RalphError {
  const { origin, pathname } = new URL(url)
  const setting = `${SETTING[use]}.url`
  return new RalphError('unavailable', `a server answers at ${shownUrl(url)}, but not as Ollama does (404)`, {
    hint:
      pathname === '/'
        ? `Set ${setting} to where Ollama is, e.g. http://127.0.0.1:11434`
        : `Set ${setting} to ${shownUrl(origin)}, without ${pathname}`,
  })
}
