import { expect, it } from 'vitest'
import { ollamaAddress } from '../../src/text/ollama-host.ts'

it.each([
  ['', 'http://127.0.0.1:11434'],
  ['1.2.3.4', 'http://1.2.3.4:11434'],
  ['localhost:1234', 'http://localhost:1234'],
  [':1234', 'http://127.0.0.1:1234'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['http://0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['http://example.com', 'http://example.com:80'],
  ['https://example.com', 'https://example.com:443'],
  ['https://example.com:8443', 'https://example.com:8443'],
  ['ollama.com', 'https://ollama.com:443'],
  ['example.com/ollama/', 'http://example.com:11434/ollama'],
  ['http://example.com:8080/ollama', 'http://example.com:8080/ollama'],
  ['[::1]', 'http://[::1]:11434'],
  ['::1', 'http://[::1]:11434'],
  ['[::]:8080', 'http://[::1]:8080'],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ['localhost:99999', 'http://localhost:11434'],
  ['localhost:http', 'http://localhost:11434'],
  [' "localhost:1234" ', 'http://localhost:1234'],
])('OLLAMA_HOST=%s is %s', (variable, address) => {
  expect(ollamaAddress(variable)).toBe(address)
})
