import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROLES } from '@causeway/core/plugin'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const read = (name: string): string => readFileSync(join(ROOT, 'host', 'operations', name), 'utf8')

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly read_only?: boolean
  readonly security_opt?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly secrets?: readonly string[]
  readonly profiles?: readonly string[]
  readonly networks: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly deploy: { readonly resources: { readonly limits: { readonly memory: string } } }
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
}

// CAST: the file is ours; the tests look at what they rely on.
const compose = parse(read('compose.yaml'), { merge: true }) as Compose
const hosts = Object.entries(compose.services).filter(([name]) => name !== 'postgres')

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  it('has no problem that a linter knows', () => {
    expect(validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
  })

  it('ends in an image that runs as an ordinary user and tells whether it lives', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^HEALTHCHECK /m)
    expect(last.indexOf('\nUSER ')).toBeLessThan(last.indexOf('\nENTRYPOINT '))
  })

  it('copies what exists, and pins its base', () => {
    const copied = [...dockerfile.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' ').map((path) => path.replace('/src/', '')),
    )
    for (const path of copied) expect(existsSync(join(ROOT, path)), path).toBe(true)
    for (const [, image = ''] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/:\d+\.\d+\.\d+/)
  })
})

describe('compose.yaml', () => {
  it('runs each role that exists once the database was migrated, and pins every image', () => {
    const roles = hosts.flatMap(([, { command = [] }]) =>
      command.includes('--role') ? [command.at(command.indexOf('--role') + 1)] : [],
    )
    for (const role of roles) expect(ROLES).toContain(role)
    expect([...roles].sort()).toEqual([...ROLES].sort())
    expect(compose.services.migrate?.depends_on?.postgres?.condition).toBe('service_healthy')
    for (const [name, { depends_on }] of hosts) {
      if (name !== 'migrate') expect(depends_on?.migrate?.condition, name).toBe('service_completed_successfully')
    }
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:\d+\.\d+/)
  })

  it('gives a process the keys of its role only, and no more rights than it needs', () => {
    expect(compose.services.api?.secrets).toEqual(['order_key', 'master_key'])
    expect(compose.services.solver?.secrets).toEqual(['payout_key', 'allocator_key'])
    expect(compose.services.webhooks?.secrets).toEqual(['master_key'])
    expect(compose.services.watcher?.secrets).toBeUndefined()
    expect(compose.services.operator?.secrets).toEqual(['master_key'])
    for (const [name, service] of hosts) {
      expect(service.read_only, name).toBe(true)
      expect(service.cap_drop, name).toEqual(['ALL'])
      expect(service.security_opt, name).toContain('no-new-privileges:true')
      for (const secret of service.secrets ?? []) expect(compose.secrets[secret]?.file).toMatch(/^\.\/secrets\//)
    }
  })

  it('starts what is for commands only when it is asked for', () => {
    expect(compose.services.operator?.profiles).toEqual(['operator'])
    expect(hosts.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name)).toEqual(['operator'])
  })

  it('keeps the database inside and bounds what each service takes', () => {
    expect(compose.services.postgres?.networks).toEqual(['inside'])
    expect(compose.networks.inside?.internal).toBe(true)
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.deploy.resources.limits.memory, name).toMatch(/^\d+G$/)
    }
  })
})

describe.each(['causeway.service', 'causeway@.service'])('%s', (name) => {
  const unit = read(name)
  const settings = new Map([...unit.matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]))

  it('starts a program that exists, with words that it knows, and gives it time to stop', () => {
    const [node, program = '', word, ...flags] = settings.get('ExecStart')?.split(' ') ?? []
    expect(node).toBe('/usr/bin/node')
    expect(existsSync(join(ROOT, program.replace('/opt/causeway/', ''))), program).toBe(true)
    expect(word).toBe('start')
    expect(flags.filter((text) => text.startsWith('--')).every((flag) => ['--config', '--role'].includes(flag))).toBe(
      true,
    )
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(10)
  })

  it('runs as a user of its own with nothing it does not need', () => {
    expect(settings.get('User')).toBe('causeway')
    expect(settings.get('NoNewPrivileges')).toBe('yes')
    expect(settings.get('ProtectSystem')).toBe('strict')
    expect(settings.get('CapabilityBoundingSet')).toBe('')
  })
})
