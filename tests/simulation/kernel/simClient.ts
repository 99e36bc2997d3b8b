import pg from 'pg'
import type { EventQueue } from './eventQueue.js'
import type { SimConnection, SimDatabase } from './simDatabase.js'
import { currentProcess, type SimProcess } from './simProcess.js'

type Done = (error: Error | null, result?: unknown) => void

interface Question {
  readonly config: pg.QueryConfig & { readonly types?: unknown }
  readonly done: Done
  answered: boolean
}

/** What the facade keeps of one client of a simulated process. */
interface ClientState {
  readonly process: SimProcess
  readonly questions: Question[]
  connection: SimConnection | null
  /** The first question was given to the kernel. */
  asking: boolean
  ended: boolean
}

const { prototype } = pg.Client
/** One that the types of pg do not know. */
const method = (name: string): ((...given: never[]) => unknown) => Reflect.get(prototype, name)

const original = {
  connect: prototype.connect,
  query: prototype.query,
  end: prototype.end,
  ref: method('ref'),
  unref: method('unref'),
}
const states = new WeakMap<pg.Client, ClientState>()
/** Events, and the database that they ask. */
type ClientKernel = EventQueue & { readonly database: SimDatabase }

let kernel: ClientKernel | null = null
let installed = false

/**
 * Clients of pg that simulated processes make have no socket: connecting, each statement and its answer are events of the kernel, which
 * asks over connections of its own. All others work as before.
 */
export const installClients = (next: ClientKernel | null): void => {
  kernel = next
  if (installed) return
  installed = true
  Object.assign(prototype, {
    connect(this: pg.Client, callback?: Done) {
      const process = currentProcess()
      if (process === undefined || kernel === null) return Reflect.apply(original.connect, this, [callback])
      return promised(callback, (done) => connect(this, process, done))
    },
    query(this: pg.Client, ...given: unknown[]) {
      const state = states.get(this)
      if (state === undefined) return Reflect.apply(original.query, this, given)
      const { config, callback } = questionOf(given)
      return promised(callback, (done) => ask(this, state, config, done))
    },
    end(this: pg.Client, callback?: Done) {
      const state = states.get(this)
      if (state === undefined) return Reflect.apply(original.end, this, [callback])
      return promised(callback, (done) => end(this, state, done))
    },
    ref(this: pg.Client) {
      if (!states.has(this)) Reflect.apply(original.ref, this, [])
    },
    unref(this: pg.Client) {
      if (!states.has(this)) Reflect.apply(original.unref, this, [])
    },
  })
}

/** The kernel of now; only asked for by code of a simulated process. */
const running = (): ClientKernel => {
  if (kernel === null) throw new Error('The world has ended.')
  return kernel
}

/** Both ways to be told of an end: a callback, or else a promise. */
const promised = (callback: Done | undefined, start: (done: Done) => void): Promise<unknown> | undefined => {
  if (callback !== undefined) {
    start(callback)
    return undefined
  }
  return new Promise((resolve, reject) =>
    start((error, result) => (error === null || error === undefined ? resolve(result) : reject(error))),
  )
}

const questionOf = (given: readonly unknown[]) => {
  const [first, ...rest] = given
  const callback = rest.find((item): item is Done => typeof item === 'function')
  const values = rest.find((item): item is unknown[] => Array.isArray(item))
  const config = typeof first === 'string' ? { text: first } : (first as pg.QueryConfig & { callback?: Done })
  const told = callback ?? Reflect.get(config, 'callback')
  return {
    config: { ...config, ...(values === undefined ? {} : { values }) },
    callback: typeof told === 'function' ? (told as Done) : undefined,
  }
}

const connect = (client: pg.Client, process: SimProcess, done: Done): void => {
  const state: ClientState = { process, questions: [], connection: null, asking: false, ended: false }
  states.set(client, state)
  const { time, database } = running()
  const limit = Number(Reflect.get(client, '_connectionTimeoutMillis')) || 10_000
  let answered = false
  const answer: Done = (error) => {
    if (answered) return
    answered = true
    late.cancelled = true
    if (error === null) Object.assign(client, { _connected: true })
    else state.ended = true
    done(error, client)
    if (error === null) client.emit('connect')
  }
  const late = time.set(process, limit, () => answer(new Error('timeout expired')))
  running().ready({
    process,
    run: () => {
      if (answered) return
      const opened = database.open(process, {
        onNotification: (message) => running().ready({ process, run: () => tell(client, message) }),
        // Before it is known to be there it was never there.
        onLost: (error) =>
          running().ready({ process, run: () => (answered ? lose(client, state, error) : answer(error)) }),
      })
      state.connection = opened
      running().ready({
        process,
        run: () =>
          answer(opened === null ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) : null),
      })
    },
  })
}

const tell = (client: pg.Client, message: pg.Notification): void => {
  client.emit('notification', message)
}

/** The connection is gone: as pg does, every question fails and the client says so. */
const lose = (client: pg.Client, state: ClientState, error: Error): void => {
  if (state.ended) return
  state.ended = true
  Object.assign(client, { _queryable: false, _ended: true })
  for (const question of state.questions.splice(0)) answerOnce(question, error)
  client.emit('error', error)
  client.emit('end')
}

const answerOnce = (question: Question, error: Error | null, result?: unknown): void => {
  if (question.answered) return
  question.answered = true
  question.done(error, result)
}

const ask = (client: pg.Client, state: ClientState, config: pg.QueryConfig, done: Done): void => {
  if (state.ended || state.connection === null) {
    const gone = new Error('Client has encountered a connection error and is not queryable')
    running().ready({ process: state.process, run: () => done(gone) })
    return
  }
  const question: Question = { config: { ...config, types: Reflect.get(client, '_types') }, done, answered: false }
  state.questions.push(question)
  limitAnswer(client, state, question)
  next(state)
}

/** As pg does it in pipelines: a late answer costs the connection. */
const limitAnswer = (client: pg.Client, state: ClientState, question: Question): void => {
  const parameters: object = Reflect.get(client, 'connectionParameters')
  const limit = Number(Reflect.get(parameters, 'query_timeout'))
  if (!(limit > 0)) return
  running().time.set(state.process, limit, () => {
    if (question.answered || state.ended) return
    answerOnce(question, new Error('Query read timeout'))
    const { connection } = state
    if (connection !== null) running().ready({ process: state.process, run: () => running().database.cut(connection) })
  })
}

/** One statement of a client at a time; its answer is an event of its own. */
const next = (state: ClientState): void => {
  const { process, connection } = state
  const [question] = state.questions
  if (question === undefined || state.asking || connection === null) return
  state.asking = true
  running().ready({
    process,
    run: () => {
      running().time.tellDatabase()
      return running().database.ask(connection, question.config, (error, result) => {
        running().ready({
          process,
          run: () => {
            state.asking = false
            if (state.ended) return
            state.questions.shift()
            next(state)
            answerOnce(question, error, result)
          },
        })
      })
    },
  })
}

const end = (client: pg.Client, state: ClientState, done: Done): void => {
  const { process, connection } = state
  Object.assign(client, { _ending: true })
  running().ready({
    process,
    run: async () => {
      if (connection !== null && !state.ended) await running().database.release(connection)
      const had = !state.ended
      state.ended = true
      Object.assign(client, { _ended: true })
      for (const question of state.questions.splice(0)) answerOnce(question, new Error('Connection terminated'))
      done(null)
      if (had) client.emit('end')
    },
  })
}
