import { Writable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiAnswer, type ApiCall, callApi, valueAt } from '../harness/apiCall.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'

/** With those of fuzz.nightly.test.ts ten thousand. */
const REQUESTS = 9_200
const BATCH = 40
const SLOWEST_MS = 1_000

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } }
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> }
}

let world: HttpWorld
let description: Description
const lines: string[] = []

beforeAll(async () => {
  const log = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(...String(chunk).split('\n'))
      done()
    },
  })
  world = await startHttpWorld({ log })
  expect((await postQuote(world, nativeBody(world))).status).toBe(200)
  // CAST: checked against the standard by the test of the description.
  description = (await callApi(world.host.url, '/documentation/json')).body as Description
  // What is told of the start names addresses of endpoints; from here on nothing may.
  lines.length = 0
})
afterAll(() => world?.close())

const WORDS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e18',
    '0x',
    'true',
    'null',
    '\u0000',
    '\ud800',
    '%',
    '_',
    "'",
    '"',
    '\\',
    '../..',
    '٣',
    '😀',
    '\u202e',
  ],
  ...["' or 1=1 --", '%s%n', '{{7*7}}', '[]', '{}', '[{"user":null}]', '[[[[]]]]', 'é'.repeat(300), '9'.repeat(500)],
  ...[`0x${'ff'.repeat(32)}`, `0x${'ff'.repeat(20)}`, '70001', '1', '50', '51', 'success', 'createdAt', 'desc', 'gzip'],
]
const word = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.string({ unit: 'binary', maxLength: 60 }))
const json = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[[]]], { toString: 1 }, { length: -1 }),
  word,
  fc.jsonValue({ maxDepth: 3 }),
)

/** Names that a schema has a value for, however deep; a body of them with odd values gets further than noise. */
const namesIn = (schema: unknown, depth = 0): string[] => {
  if (typeof schema !== 'object' || schema === null || depth > 6) return []
  const ref: unknown = Reflect.get(schema, '$ref')
  if (typeof ref === 'string') return namesIn(description.components?.schemas?.[ref.split('/').at(-1) ?? ''], depth + 1)
  const properties: unknown = Reflect.get(schema, 'properties')
  const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return [...own, ...Object.values(schema).flatMap((inner) => namesIn(inner, depth + 1))]
}

interface Fuzzed {
  readonly route: string
  readonly path: string
  readonly call: ApiCall
}

const header = fc.constantFrom<Readonly<Record<string, string>>>(
  ...[{}, {}, {}, { 'content-type': 'text/html' }, { 'x-api-key': 'no-such-key-anywhere' }, { 'x-api-key': 'x' }],
  ...[{ accept: 'image/png' }, { 'if-none-match': '*' }, { 'x-forwarded-for': "1.2.3.4, ' or 1" }, { origin: 'null' }],
  ...[
    { 'idempotency-key': 'é' },
    { 'idempotency-key': 'again' },
    { cookie: 'causeway_sign_in=x' },
    { 'x-csrf-token': 'x' },
  ],
)

/** Halves of characters have no form in an address; they become U+FFFD. */
const wellFormed = (word: string): string => Buffer.from(word).toString()

const pathOf = (path: string, parameters: readonly Parameter[], words: readonly string[]): string => {
  let at = 0
  const filled = path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(wellFormed(words[at++] ?? 'x')) || 'x')
  const query = parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name }) => {
      const value = words[at++]
      return value === undefined ? [] : [`${name}=${encodeURIComponent(wellFormed(value))}`]
    })
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const bodyOf = (schema: object | undefined) => {
  if (schema === undefined) return fc.constant(undefined)
  const names = [...new Set(namesIn(schema)), 'unknownField']
  return fc.oneof(
    { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...names), json, { maxKeys: 5 }) },
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom('{', '{"a":', '{"__proto__":1}', '{"a":1,"a":2}', '['.repeat(500), '1e999'),
  )
}

/** A file of a megabyte that nothing in a request changes. */
const isBundle = (path: string): boolean => path.startsWith('/documentation/redoc')

const operations = (): readonly fc.Arbitrary<Fuzzed>[] =>
  Object.entries(description.paths)
    .filter(([path]) => !isBundle(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) =>
        fc
          .tuple(
            fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, word), {
              maxLength: parameters.length,
            }),
            bodyOf(requestBody?.content['application/json'].schema),
            header,
            fc.boolean(),
          )
          .map(([words, body, headers, keyed]) => ({
            route: `${method.toUpperCase()} ${path}`,
            path: pathOf(
              path,
              parameters,
              words.map((one) => one ?? 'x'),
            ),
            call: {
              method: method.toUpperCase(),
              headers,
              ...(body === undefined ? {} : { body }),
              ...(keyed ? { apiKey: world.host.apiKey } : {}),
            },
          })),
      ),
    )

/** A 503 says that something may be tried again; here nothing is missing but what the words name. */
const problemOf = ({ status, body, text }: ApiAnswer, { route }: Fuzzed): string | null => {
  if (status >= 500 && !(status === 503 && typeof valueAt(body, 'message') === 'string')) return `${status} ${text}`
  if (status >= 400 && body !== undefined && typeof (valueAt(body, 'message') ?? valueAt(body, 'error')) !== 'string')
    return text
  const shown = text.replaceAll(world.host.url, '').replaceAll(new URL(world.host.url).host, '')
  const leak = route.includes('/documentation') || route.includes('/lives') ? null : leakIn(world, shown)
  return leak === null ? null : `leaks ${leak}`
}

const problems = new Set<string>()

/** Notes what is wrong with the answer; how long it took. */
const ask = async (fuzzed: Fuzzed): Promise<number> => {
  const answer = await callApi(world.host.url, fuzzed.path, fuzzed.call)
  const problem = problemOf(answer, fuzzed)
  if (problem !== null) problems.add(`${fuzzed.route}: ${problem} on ${JSON.stringify(fuzzed).slice(0, 400)}`)
  return answer.milliseconds
}

/** Whether a call takes too long whenever it is made: the forty of a batch wait for each other, a busy machine for others. */
const isSlow = async (fuzzed: Fuzzed): Promise<boolean> => {
  for (let time = 0; time < 5; time += 1) if ((await ask(fuzzed)) <= SLOWEST_MS) return false
  return true
}

it(`${REQUESTS} requests over every route: no 5xx, no leak in bodies, nothing slower than a second (faults.md D)`, {
  timeout: 240_000,
}, async () => {
  const all = operations()
  expect(all.length).toBeGreaterThan(25)
  const each = Math.ceil(REQUESTS / all.length)
  for (const [at, operation] of all.entries()) {
    const requests = fc.sample(operation, { numRuns: each, seed: 42 + at })
    for (let from = 0; from < requests.length; from += BATCH) {
      const batch = requests.slice(from, from + BATCH)
      const took = await Promise.all(batch.map(ask))
      for (const fuzzed of batch.filter((_, of) => (took[of] ?? 0) > SLOWEST_MS)) {
        if (await isSlow(fuzzed)) problems.add(`${fuzzed.route}: slow on ${JSON.stringify(fuzzed).slice(0, 400)}`)
      }
    }
  }
  expect([...problems].slice(0, 10)).toEqual([])
})

/** What no line may have: URLs (their paths hold keys of providers), keys of callers, SQL. */
const TELLING =
  /(?:https?|wss?|postgres(?:ql)?):\/\/|cct_(?:live|test)_|\b(?:select .+ from|insert into|delete from)\b/i

/** A line without the frames of errors: the harness logs what is meant for developers too. */
const withoutFrames = (line: string): string =>
  line === ''
    ? ''
    : JSON.stringify(JSON.parse(line), (name, value) => (name === 'stack' || name === 'at' ? undefined : value))

it('no log line and no metric has a key, a stack, a URL or SQL in it (F96)', async () => {
  const { order, solver, allocator } = world.network.roles
  const secrets = [world.host.apiKey, ...[order, solver, allocator].map(({ privateKey }) => privateKey.slice(2))]
  const metrics = (await callApi(world.host.url, '/metrics')).text.split('\n').filter((line) => !line.startsWith('#'))
  expect(lines.length).toBeGreaterThan(REQUESTS / 2)
  const found = [...lines.map(withoutFrames), ...metrics].flatMap((text) => {
    const secret = secrets.some((each) => text.includes(each))
    return secret || TELLING.test(text) ? [`${TELLING.exec(text)?.[0] ?? 'a key'} in ${text.slice(0, 400)}`] : []
  })
  expect(found.slice(0, 5)).toEqual([])
})

it('afterwards it works as before', async () => {
  expect((await postQuote(world, nativeBody(world), '/quote/v2', world.host.apiKey)).status).toBe(200)
  expect(Object.keys(Object.prototype)).toEqual([])
})
