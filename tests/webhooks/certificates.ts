import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

export interface Authority {
  /** PEM that a client trusts. */
  readonly ca: string
  /** A certificate for names and addresses; `daysLeft` below zero is one that has expired. */
  issue(names: readonly string[], daysLeft?: number): Promise<ServerCertificate>
}

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const pemOfKey = async (key: webcrypto.CryptoKey): Promise<string> => {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}

const nameOf = (text: string): x509.GeneralName => new x509.GeneralName(/^[0-9.]+$|:/.test(text) ? 'ip' : 'dns', text)

/** A certificate authority made for one test run. */
export const createAuthority = async (): Promise<Authority> => {
  const keys = await newKeys()
  const from = new Date(Date.now() - 10 * DAY_MS)
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Test authority',
    notBefore: from,
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  })
  let serial = 1
  return {
    ca: root.toString('pem'),
    issue: async (names, daysLeft = 1) => {
      const own = await newKeys()
      serial += 1
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(2, '0'),
        subject: 'CN=Test receiver',
        issuer: root.subject,
        notBefore: from,
        notAfter: new Date(Date.now() + daysLeft * DAY_MS),
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [new x509.SubjectAlternativeNameExtension(names.map(nameOf))],
      })
      return { cert: certificate.toString('pem'), key: await pemOfKey(own.privateKey) }
    },
  }
}
