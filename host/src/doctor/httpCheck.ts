import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnosis } from '@causeway/core/chain'
import type { LoadedConfig } from '../config/loadConfig.js'

const DAY_MS = 86_400_000
const SOON_DAYS = 14
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** Who can listen in: plain HTTP on a public address, a certificate that ends. */
export const checkHttp = ({ config, folder }: LoadedConfig): readonly Diagnosis[] => {
  const { host, tls, trustedProxies, console: own } = config.http
  if (tls !== undefined) return [certificate(resolve(folder, tls.certFile))]
  if (!own.shared) return [host, own.host].flatMap((each) => plainHttp(each, trustedProxies))
  return [...plainHttp(host, trustedProxies), ...behindProxy(trustedProxies)]
}

const plainHttp = (host: string, trustedProxies: readonly string[]): readonly Diagnosis[] => {
  if (LOOPBACK.has(host) || trustedProxies.length > 0) {
    return [{ check: 'http', subject: host, state: 'ok', message: 'plain HTTP for this machine or a proxy' }]
  }
  const message = 'plain HTTP on an address that others reach: API keys can be read on the way'
  return [
    { check: 'http', subject: host, state: 'warning', message, remedy: 'Set "http.tls", or put a proxy before it.' },
  ]
}

/** Whoever the proxy serves reaches the console. */
const behindProxy = (trustedProxies: readonly string[]): readonly Diagnosis[] =>
  trustedProxies.length === 0
    ? []
    : [
        {
          check: 'console',
          subject: 'http.console.shared',
          state: 'fault',
          message: 'the proxies of "http.trustedProxies" bring /console and /metrics to whoever they serve',
          remedy: 'Leave "http.console.shared" out, and start the hosts again.',
        },
      ]

const certificate = (path: string): Diagnosis => {
  const check = 'certificate'
  const subject = 'http.tls'
  try {
    const { validTo } = new X509Certificate(readFileSync(path))
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS)
    if (days < 0) {
      return {
        check,
        subject,
        state: 'fault',
        message: `ended on ${validTo}`,
        remedy: 'Renew it and start the hosts again.',
      }
    }
    if (days >= SOON_DAYS) return { check, subject, state: 'ok', message: `valid for ${days} days` }
    return { check, subject, state: 'warning', message: `ends in ${days} days`, remedy: 'Renew it.' }
  } catch {
    return {
      check,
      subject,
      state: 'fault',
      message: 'cannot be read',
      remedy: 'Check "http.tls.certFile": a PEM file.',
    }
  }
}
