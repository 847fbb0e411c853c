import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { type Service, serviceError } from '../../src/services/service.ts'

const service: Service = {
  name: 'Example',
  url: 'https://example.test',
  model: 'example-embed',
  hints: { reach: 'Start it.', key: 'Check the key.', model: 'Fetch it.' },
}

/** As fetch throws it: nothing but "fetch failed", with the reason below. */
function fetchFailed(code: string, message: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}

describe('serviceError', () => {
  it('digs out why a connection failed', () => {
    const error = serviceError(fetchFailed('ENOTFOUND', 'getaddrinfo ENOTFOUND example.test'), service)
    expect(error).toMatchObject({ code: 'unavailable', retryable: true, hint: 'Start it.' })
    expect(error.message).toBe(
      'Example at https://example.test cannot be reached: getaddrinfo ENOTFOUND example.test',
    )
  })

  it('does not try a bad certificate again, and says how to trust it', () => {
    const error = serviceError(fetchFailed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), service)
    expect(error).toMatchObject({ retryable: false, hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') })
  })

  it('tells a timeout from a cancellation', () => {
    const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    expect(serviceError(timeout, service)).toMatchObject({ code: 'timeout', retryable: true })
    expect(serviceError(timeout, service, AbortSignal.abort())).toMatchObject({ code: 'cancelled' })
  })

  it('leaves our own errors alone', () => {
    const own = new RalphError('damaged', 'ours')
    expect(serviceError(own, service)).toBe(own)
  })
})
