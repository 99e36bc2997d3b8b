import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { OutgoingHttp } from '@causeway/core/plugin'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

/** A source of a test: a real HTTPS server on 127.0.0.1 with a certificate of its own. */
export interface SourceServer {
  readonly url: URL
  /** PEM that a client trusts. */
  readonly ca: string
  /** Paths with query, and headers, of every request so far. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  answer: (response: ServerResponse, url: URL, headers: IncomingHttpHeaders) => void
  /** A client that may call it. */
  client(): OutgoingHttp
  close(): Promise<void>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

const createCertificate = async () => {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Test source',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: certificate.toString('pem'), key: String(key) }
}

export const sendJson = (
  response: ServerResponse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const startSourceServer = async (): Promise<SourceServer> => {
  const { cert, key } = await createCertificate()
  const requests: SourceServer['requests'] = []
  const server = createServer({ cert, key }, (request, response) => {
    const { url: path = '', headers } = request
    requests.push({ path, headers })
    running.answer(response, new URL(path, 'https://127.0.0.1'), headers)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: the server listens on a TCP port.
  const { port } = server.address() as AddressInfo
  const clients: OutgoingHttp[] = []
  const running: SourceServer = {
    url: new URL(`https://127.0.0.1:${port}/base`),
    ca: cert,
    requests,
    answer: (response) => sendJson(response, {}),
    client: () => {
      const client = new OutgoingHttp({ rules: { allowPrivate: true }, ca: [cert], maxConnections: 4 })
      clients.push(client)
      return client
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of clients) client.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return running
}

/** Ways of an untrusted server to answer without tokens. */
export const HOSTILE: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'states a huge body': (response) => void response.writeHead(200, { 'content-length': '99999999999' }).write('[]'),
  'sends a body without end': (response) => {
    const piece = `[${' '.repeat(65_536)}`
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    }
    response.writeHead(200)
    response.on('drain', more)
    more()
  },
  'redirects to a private address': (response) =>
    void response.writeHead(302, { location: 'https://127.0.0.1:1/elsewhere' }).end(),
  'redirects to itself': (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  'sends a compressed body': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('[]'),
  'sends no UTF-8': (response) => void response.writeHead(200).end(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  'sends half a body': (response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"tokens":[', () => response.socket?.destroy())
  },
  'resets the connection': (response) => void response.socket?.destroy(),
  'sends HTML': (response) => void response.writeHead(200).end('<html>tokens</html>'),
  'sends null': (response) => sendJson(response, null),
  'sends a text': (response) => sendJson(response, 'tokens'),
  'sends objects of the wrong type': (response) => sendJson(response, { tokens: { 0: 1 }, coins: 'usdc' }),
  'answers 500': (response) => void response.writeHead(500).end('{"tokens":[]}'),
  'answers 429': (response) => void response.writeHead(429).end(),
  'answers 304 unasked': (response) => void response.writeHead(304).end(),
}
