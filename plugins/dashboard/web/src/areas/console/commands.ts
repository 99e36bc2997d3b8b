import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api/callApi.js'
import { withFreshSignIn } from '../../shell/session/SignInAgain.js'

/** A command of the command line with what it is given. */
export interface CommandCall {
  readonly name: string
  readonly arguments?: readonly string[]
  /** By their long names without dashes; `true` for those that take nothing. Empty texts are left out. */
  readonly options?: Readonly<Record<string, string | boolean>>
}

interface ReadAnswer<Result> {
  readonly result: Result
  readonly refusal: string | null
}

/** What moves is read again after so many milliseconds, while the page is looked at. */
export const LIVE_MS = 5_000

const givenOptions = ({ options = {} }: CommandCall): Readonly<Record<string, string | boolean>> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '' && value !== false))

/** Asks once for the JSON of a command. @throws ApiFailure with the command's own words where it refuses */
export const readOnce = async <Result>(call: CommandCall, signal?: AbortSignal): Promise<Result> => {
  const { name, arguments: given = [] } = call
  const options = givenOptions(call)
  const { result } = await callApi<ReadAnswer<Result>>(`/console/api/reads/${encodeURIComponent(name)}`, {
    query: {
      arguments: given.length === 0 ? null : JSON.stringify(given),
      options: Object.keys(options).length === 0 ? null : JSON.stringify(options),
    },
    ...(signal === undefined ? {} : { signal }),
  })
  return result
}

const CONSOLE_KEY = 'console'

/** Key of all that was read by a command, or by any. */
export const keyOfReads = (name?: string): readonly string[] =>
  name === undefined ? [CONSOLE_KEY] : [CONSOLE_KEY, name]

export const keyOfRead = (call: CommandCall): readonly unknown[] => [
  ...keyOfReads(call.name),
  call.arguments ?? [],
  givenOptions(call),
]

/** The JSON of a command, read again every `everyMs`; null: once. */
export const readCommand = <Result>(call: CommandCall, everyMs: number | null = LIVE_MS) =>
  queryOptions({
    queryKey: keyOfRead(call),
    queryFn: ({ signal }) => readOnce<Result>(call, signal),
    refetchInterval: everyMs ?? false,
  })

/** What is run because somebody asked: kept until it is asked for again. */
export const checkCommand = <Result>(call: CommandCall) =>
  queryOptions({
    queryKey: keyOfRead(call),
    queryFn: ({ signal }) => readOnce<Result>(call, signal),
    refetchOnWindowFocus: false,
    refetchOnMount: false,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Runs what changes something, with a fresh sign-in where the service wants one; gives what it says. @throws ApiFailure */
export const runCommand = (call: CommandCall, confirm: string | null): Promise<readonly string[]> =>
  withFreshSignIn(async () => {
    const { lines } = await callApi<{ readonly lines: readonly string[] }>('/console/api/commands', {
      method: 'POST',
      body: {
        name: call.name,
        arguments: call.arguments ?? [],
        options: givenOptions(call),
        ...(confirm === null ? {} : { confirm }),
      },
    })
    return lines
  })

const quoted = (text: string): string => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The line that does the same on a terminal. */
export const commandLine = (call: CommandCall): string =>
  [
    'causeway',
    call.name,
    ...(call.arguments ?? []).map(quoted),
    ...Object.entries(givenOptions(call)).map(([name, value]) =>
      value === true ? `--${name}` : `--${name} ${quoted(String(value))}`,
    ),
  ].join(' ')
