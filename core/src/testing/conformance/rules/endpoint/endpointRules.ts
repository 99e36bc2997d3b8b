import type { ChainAdapter } from '../../../../chain/chainAdapter.js'
import type { RpcEndpoint } from '../../../../chain/endpoint/rpcEndpoint.js'
import type { Payout, SignedAttempt } from '../../../../chain/laneAdapter.js'
import { errorCatalog } from '../../../../errors/errorCatalog.js'
import { ServiceError } from '../../../../errors/serviceError.js'
import type { ConformanceHarness, HostileKind } from '../../conformanceHarness.js'
import { deposit, depositsOf, newOrderId, tipCursor, watchUntil } from '../../depositing.js'
import { type EndpointGate, type GateFault, startGate } from '../../gate/endpointGate.js'
import { broadcast, checkArrived, makePayout, signPayout, succeeded } from '../../paying.js'
import { check, eventually, nativeOf, type Rule, there } from '../../rule.js'

const FAULTS: readonly GateFault[] = ['silent', 'garbage', 'error-status', 'refusing']

/** A started adapter whose only endpoint is behind a gate. */
const behindGate = async <T>(
  harness: ConformanceHarness,
  use: (adapter: ChainAdapter, gate: EndpointGate) => Promise<T>,
): Promise<T> => {
  const gate = await startGate(there(harness.rpc[0], 'the harness has no endpoint'))
  const adapter = await harness.createAdapter([gate.endpoint])
  try {
    await adapter.start(new AbortController().signal)
    return await use(adapter, gate)
  } finally {
    await adapter.stop()
    await gate.close()
  }
}

/** Throws unless it is an error that a stranger may see. */
const checkMapped = (what: string, error: unknown, { secret, endpoint }: Pick<EndpointGate, 'secret' | 'endpoint'>) => {
  check(ServiceError.is(error), `${what} throws something else than a ServiceError: ${String(error).slice(0, 200)}`)
  check(error.code in errorCatalog, `${what} throws the unknown code ${error.code}`)
  const said = `${error.message} ${JSON.stringify(error.data)}`
  const { host } = new URL(endpoint.http)
  for (const hidden of [secret, host]) check(!said.includes(hidden), `${what} tells its endpoint: ${error.message}`)
}

const failureOf = (work: Promise<unknown>): Promise<{ readonly error: unknown } | null> =>
  work.then(
    () => null,
    (error: unknown) => ({ error }),
  )

/** Every question to the chain that must not be answered from memory. */
const questions = (adapter: ChainAdapter, payout: Payout, { txId }: SignedAttempt) => {
  const tx = { id: txId }
  const claim = { tx, position: 0, money: payout.money, orderId: payout.orderId }
  return {
    getBalances: () => adapter.getBalances([{ address: payout.to.address, currency: payout.money.currency }]),
    'lane.read': () => adapter.lane.read(payout.from, null),
    'lane.states': () => adapter.lane.states([{ txId, payout }]),
    confirmDeposit: async () => {
      check(!(await adapter.confirmDeposit(claim, { agreeing: 1 })), 'confirms a deposit without an answer')
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Said no.')
    },
    simulate: async () => {
      const result = await adapter.simulate(payout)
      check(
        !result.ok && result.kind === 'transient',
        `simulate says ${result.ok ? 'ok' : result.kind} without an answer`,
      )
      throw new ServiceError('SERVICE_UNAVAILABLE', result.message)
    },
  }
}

const errorsMapped = (harness: ConformanceHarness): Promise<void> =>
  behindGate(harness, async (adapter, gate) => {
    const payout = await makePayout(harness)
    const attempt = await signPayout(harness, payout)
    for (const mode of FAULTS) {
      gate.set(mode)
      for (const [what, ask] of Object.entries(questions(adapter, payout, attempt))) {
        const failure = there(await failureOf(ask()), `${what} answers while its endpoint is ${mode}`)
        checkMapped(`${what}, while its endpoint is ${mode},`, failure.error, gate)
      }
    }
    gate.set('pass')
    const { signer, advance } = harness
    await eventually(
      'an answer from an endpoint that is well again',
      async () => {
        await advance(1)
        return (await failureOf(adapter.lane.read(adapter.lane.addressOf(signer), null))) === null ? true : null
      },
      40,
    )
  })

/** The node takes the payment, but nobody hears of it. */
const broadcastDoubtful = (harness: ConformanceHarness): Promise<void> =>
  behindGate(harness, async (adapter, gate) => {
    const payout = await makePayout(harness)
    const attempt = await signPayout(harness, payout)
    gate.set('answers-lost')
    const sent = await broadcast(adapter, attempt)
    check(sent.outcome === 'unknown', `says "${sent.outcome}" of a broadcast whose answer was lost`)
    if (sent.outcome === 'unknown') check(!sent.message.includes(gate.secret), 'tells its endpoint')
    for (const mode of ['error-told', ...FAULTS] as const) {
      gate.set(mode)
      const again = await broadcast(adapter, attempt)
      check(
        again.outcome === 'unknown',
        `says "${again.outcome}" of bytes that the node has, sent again while it is ${mode}: only bytes that went nowhere are rejected`,
      )
    }
    gate.set('pass')
    await broadcast(harness.adapter, attempt)
    await succeeded(harness, attempt, payout)
    await checkArrived(harness, payout, harness.amount)
  })

const deathDoubtful = (harness: ConformanceHarness): Promise<void> =>
  behindGate(harness, async (adapter, gate) => {
    const attempt = await signPayout(harness, await makePayout(harness))
    for (const mode of FAULTS) {
      gate.set(mode)
      const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId]).catch((error: unknown) => {
        checkMapped(`payoutVerdict, while its endpoint is ${mode},`, error, gate)
        return 'alive' as const
      })
      check(said === 'alive', `says "${said}" without an answer`)
    }
  })

/** Alone it must keep the adapter from starting. */
const refusedAlone = async (harness: ConformanceHarness, endpoint: RpcEndpoint, what: string): Promise<void> => {
  const adapter = await harness.createAdapter([endpoint])
  const failure = await failureOf(adapter.start(new AbortController().signal))
  await adapter.stop()
  const { error } = there(failure, `starts with nothing but an endpoint that is ${what}`)
  checkMapped('start', error, { secret: new URL(endpoint.http).pathname.slice(1) || 'no secret', endpoint })
}

/** Beside a good one it must do no harm, and be told to operators. */
const noticedBeside = async (harness: ConformanceHarness, endpoint: RpcEndpoint, what: string): Promise<void> => {
  const honest = harness.rpc.map((entry) => ({ ...entry, provider: entry.provider ?? 'honest' }))
  const adapter = await harness.createAdapter([endpoint, ...honest])
  try {
    await adapter.start(new AbortController().signal)
    const { signer, amount } = harness
    const payer = adapter.lane.addressOf(signer)
    const { amounts } = await adapter.getBalances([{ address: payer, currency: nativeOf(harness) }])
    check((amounts[0] ?? 0n) > amount, `an endpoint that is ${what} is believed before a good one`)
    const endpoints = adapter.endpoints?.bind(adapter)
    check(endpoints !== undefined, 'cannot tell what its endpoints are worth: there is no endpoints()')
    await eventually(
      `endpoints() noticing one that is ${what}`,
      async () => {
        await harness.advance(1)
        await failureOf(adapter.getBalances([{ address: payer, currency: nativeOf(harness) }]))
        const [bad, good] = endpoints()
        return bad !== undefined && bad.state !== 'ok' && good?.state === 'ok' ? true : null
      },
      harness.patienceSeconds,
    )
  } finally {
    await adapter.stop()
  }
}

/** Preferred to a good one it must not hold up what is read: heads and deposits come from the other. */
const passedOver = async (harness: ConformanceHarness, endpoint: RpcEndpoint): Promise<void> => {
  const { advance, createAdapter, patienceSeconds, rpc } = harness
  // Without websockets, which would tell of heads whoever is asked.
  const honest = rpc.map(({ http, provider = 'honest' }) => ({ http, provider }))
  const cursor = await tipCursor(harness)
  const adapter = await createAdapter([endpoint, ...honest])
  try {
    await adapter.start(new AbortController().signal)
    const orderId = newOrderId()
    await deposit(harness, nativeOf(harness), orderId)
    await advance(1)
    const { height } = await harness.adapter.tip()
    await eventually(
      'a head beyond that of an endpoint which stands still',
      async () => {
        await advance(1)
        return (await adapter.tip()).height >= height ? true : null
      },
      patienceSeconds,
    )
    await watchUntil(
      { adapter, advance, ...(patienceSeconds === undefined ? {} : { patienceSeconds }) },
      cursor,
      (read) => depositsOf(read, orderId).some(({ state }) => state === 'included'),
    )
  } finally {
    await adapter.stop()
  }
}

const ownFaults = async (harness: ConformanceHarness): Promise<void> => {
  for (const mode of FAULTS) {
    const gate = await startGate(null, mode)
    try {
      await refusedAlone(harness, gate.endpoint, mode)
      await noticedBeside(harness, gate.endpoint, mode)
    } finally {
      await gate.close()
    }
  }
}

const hostile = async (harness: ConformanceHarness, kind: HostileKind): Promise<void> => {
  const bad = there(await harness.hostile?.(kind), 'the harness starts no such endpoint')
  try {
    // Whether a head is old can be seen only beside another one.
    if (kind === 'wrong-chain') await refusedAlone(harness, bad.endpoint, kind)
    const endpoint = { ...bad.endpoint, provider: bad.endpoint.provider ?? 'hostile' }
    if (kind === 'stale-head') await passedOver(harness, endpoint)
    await noticedBeside(harness, endpoint, kind)
  } finally {
    await bad.close()
  }
}

/** Two providers show the blocks of the chain, and a third one others of the same heights. */
const forked = async (harness: ConformanceHarness): Promise<void> => {
  const target = there(harness.rpc[0], 'the harness has no endpoint')
  const bad = there(await harness.hostile?.('forked'), 'the harness starts no such endpoint')
  const gates = [await startGate(target), await startGate(target)]
  const honest = gates.map(({ endpoint }, at) => ({ ...endpoint, provider: `honest ${at}` }))
  try {
    // Blocks are compared so deep that honest nodes agree.
    await harness.advance(harness.finalDepth + 2)
    await noticedBeside({ ...harness, rpc: honest }, { ...bad.endpoint, provider: 'forked' }, 'on another branch')
  } finally {
    await Promise.all([bad.close(), ...gates.map((gate) => gate.close())])
  }
}

const needs = {
  ability: 'hostile',
  isThere: (harness: ConformanceHarness): boolean => harness.hostile !== undefined,
}

/** Endpoints that fail, and what is made of it. */
export const endpointRules: readonly Rule[] = [
  {
    id: 'errors-mapped',
    says: 'failures of endpoints come out as errors of the catalogue that tell no URL; afterwards all works again',
    run: errorsMapped,
  },
  {
    id: 'broadcast-doubtful',
    says: 'a broadcast whose answer was lost, late, garbage or an error of the node is unknown, never rejected, and is paid once (F54)',
    run: broadcastDoubtful,
  },
  { id: 'death-doubtful', says: 'nothing is called dead without an answer', run: deathDoubtful },
  {
    id: 'endpoint-faults',
    says: 'an endpoint that is silent, talks garbage or refuses is noticed at start when alone, by endpoints() beside another',
    mayDeviate: true,
    run: ownFaults,
  },
  {
    id: 'endpoint-wrong-chain',
    says: 'an endpoint of another chain is noticed at start when alone, by endpoints() beside another (F05)',
    needs,
    run: (harness) => hostile(harness, 'wrong-chain'),
  },
  {
    id: 'endpoint-forked',
    says: 'an endpoint whose settled blocks have other hashes than those of two others is noticed by endpoints() (F05)',
    needs,
    run: forked,
  },
  {
    id: 'endpoint-stale-head',
    says: 'an endpoint whose head stands still is noticed beside another, and holds up neither heads nor deposits (F06, F131)',
    needs,
    run: (harness) => hostile(harness, 'stale-head'),
  },
]
