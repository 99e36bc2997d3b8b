import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPort } from '../testPort.js'
import { until } from '../until.js'

/** Debian's programs, and the languages of their examples in day0.md. */
const PROGRAMS = { nginx: '/usr/sbin/nginx', caddyfile: '/usr/bin/caddy' } as const
export type ProxyKind = keyof typeof PROGRAMS

/** Whether tests of it run: where the machine has it, or where it is required, so that they fail there. */
export const withProxy = (kind: ProxyKind): boolean =>
  process.env.CAUSEWAY_REQUIRE_PROXIES === '1' || existsSync(PROGRAMS[kind])

const DAY0 = new URL('../../../host/operations/day0.md', import.meta.url)

/** The example of day0.md. */
const exampleOf = (kind: ProxyKind): string => {
  const example = new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``).exec(readFileSync(DAY0, 'utf8'))?.[1]
  if (example === undefined) throw new Error(`day0.md has no example for ${kind}`)
  return example
}

/** Another text in its place; throws where the example has none. */
const replaced = (text: string, pairs: readonly (readonly [string | RegExp, string])[]): string =>
  pairs.reduce((whole, [before, after]) => {
    const changed = whole.replace(before, after)
    if (changed === whole) throw new Error(`The example lacks ${before}`)
    return changed
  }, text)

/** As it stands but for the ports, and without certificates. */
const nginxConfig = (folder: string, hostUrl: string, port: number): string => `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${replaced(exampleOf('nginx'), [
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/ +ssl_certificate .*\n/, ''],
    [/ +ssl_certificate_key .*\n/, ''],
    ['http://127.0.0.1:3000', hostUrl],
  ])}
}
`

const caddyConfig = (hostUrl: string, port: number): string => `{
  admin off
  auto_https off
}
${replaced(exampleOf('caddyfile'), [
  ['api.example.com', `http://127.0.0.1:${port}`],
  ['127.0.0.1:3000', new URL(hostUrl).host],
])}`

/** Starts the proxy of day0.md before a host; returns where it answers. */
export const startProxy = async (
  kind: ProxyKind,
  hostUrl: string,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const program = PROGRAMS[kind]
  if (!existsSync(program)) throw new Error('This test needs nginx and Caddy: apt-get install nginx-light caddy')
  const folder = mkdtempSync(join(tmpdir(), 'causeway-proxy-'))
  const port = await testPort()
  const file = join(folder, 'config')
  writeFileSync(file, kind === 'nginx' ? nginxConfig(folder, hostUrl, port) : caddyConfig(hostUrl, port))
  const args =
    kind === 'nginx'
      ? ['-p', folder, '-e', join(folder, 'error.log'), '-c', file]
      : ['run', '--adapter', 'caddyfile', '--config', file]
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  await until('the proxy to answer', async () => {
    if (child.exitCode !== null) throw new Error(`The proxy ended with exit code ${child.exitCode}: ${said}`)
    return fetch(`${url}/lives`).then(
      ({ ok }) => ok || null,
      () => null,
    )
  })
  return {
    url,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
