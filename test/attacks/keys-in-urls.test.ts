import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { qdrantError } from '../../src/search-index/qdrant/qdrant-error.ts'
import { serviceError } from '../../src/services/service.ts'
import { shownUrl, urlWithoutSecrets } from '../../src/text/shown-url.ts'
import { makeCheckout } from '../support/checkout.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const KEY = ['hunter2', 'hunter3'].join('')

const ADDRESSES = [
  `http://${KEY}@127.0.0.1:9`,
  `http://me:${KEY}@127.0.0.1:9`,
  `http://127.0.0.1:9/v1?api-key=${KEY}`,
  `http://127.0.0.1:9/?token=${KEY}#${KEY}`,
]

describe.each(ADDRESSES)('a key in %s', (url) => {
  it('is in no sight of an address', () => {
    expect(shownUrl(url)).toContain('127.0.0.1:9')
    expect(shownUrl(url)).not.toContain(KEY)
    expect(urlWithoutSecrets(url.replace(`#${KEY}`, ''))).not.toContain(KEY)
  })

  it('is in no error of a service, whatever its library says', () => {
    const service = { name: 'It', url, model: 'm', hints: { reach: 'r', key: 'k', model: 'm' } }
    const said = new TypeError(`Failed to parse URL from ${url}`)
    const failures = [said, Object.assign(new Error(`500 at ${url}`), { status: 500 })]
    for (const failure of failures) {
      expect(serviceError(failure, service as never).message).not.toContain(KEY)
      expect(String((qdrantError(failure, { url, bytes: 0 }) as Error).message)).not.toContain(KEY)
    }
  })

  it('is in no answer of status and doctor, and in no notice', async () => {
    const root = await temporaryFolder()
    const project = join(root, 'shop')
    makeCheckout(project)
    const heard: unknown[] = []
    const ralph = await openRalph({
      project,
      home: join(root, 'home'),
      env: {},
      settings: {
        index: { driver: 'qdrant', url },
        embedder: { provider: 'ollama', model: 'm', url },
        languageModel: { provider: 'ollama', model: 'm', url },
      },
      onNotice: (notice) => heard.push(notice),
    })
    heard.push(await ralph.health.status(), await ralph.health.examine())
    heard.push(await ralph.featureMemory.search('auth', 'anything').catch((error: Error) => error.message))
    await ralph.close()
    expect(JSON.stringify(heard)).toContain('127.0.0.1:9')
    expect(JSON.stringify(heard)).not.toContain(KEY)
  })
})
