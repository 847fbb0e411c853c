const PORT = '11434'

/**
 * Where OLLAMA_HOST says Ollama is, read as Ollama's own programs read it: `host`, `host:port`, `:port`, an address in
 * brackets, with or without a scheme and a path. A server that listens everywhere (0.0.0.0) is asked on this machine.
 */
export function ollamaAddress(variable: string): string {
  const text = variable.trim().replace(/^["']+|["']+$/g, '')
  const [, scheme = 'http', rest = ''] = /^(?:([^:/]*):\/\/)?(.*)$/s.exec(text)!
  if (text === 'ollama.com') return 'https://ollama.com:443'
  const named = text.includes('://') ? { http: '80', https: '443' }[scheme] : undefined
  const [place = '', ...path] = rest.split('/')
  const { host, port } = hostAndPort(place, named ?? PORT)
  const below = path.join('/').replace(/\/+$/, '')
  return `${scheme}://${reachable(host)}:${port}${below && `/${below}`}`
}

function hostAndPort(place: string, usual: string): { host: string; port: string } {
  const [, bracketed, plain, given] = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(place) ?? []
  // Without a port, or with so many colons that it must be an address.
  if (given === undefined) return { host: place.replace(/^\[|\]$/g, ''), port: usual }
  const isPort = /^\d{1,5}$/.test(given) && Number(given) <= 65_535
  return { host: bracketed ?? plain ?? '', port: isPort ? given : usual }
}

function reachable(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1'
  if (!host.includes(':')) return host
  return /^[0:]+$/.test(host) ? '[::1]' : `[${host}]`
}
