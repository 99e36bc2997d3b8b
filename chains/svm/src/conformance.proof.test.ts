import { environmentOf, type Json, systemClock } from '@causeway/core'
import { createEd25519Signer, type RpcEndpoint } from '@causeway/core/chain'
import {
  type Alteration,
  adapterWith,
  type ConformanceHarness,
  conformanceCases,
  type HostileEndpoint,
  type HostileKind,
  harnessWith,
  type LookAlike,
  laneWith,
  RULE_IDS,
  type RuleId,
  runConformance,
} from '@causeway/core/testing'
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NATIVE } from './address/addresses.js'
import { poolKeyOf } from './depositAddress/addressKeys.js'
import { readSequenceGuard, sequenceGuard } from './lane/sequenceGuard.js'
import { startRewritingNode } from './rpc/rewritingNode.test.support.js'
import { SvmAdapter } from './svmAdapter.js'
import { accountOf, type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from './testing/node/localSvm.js'
import { transferChecked } from './token/program/tokenInstructions.js'
import { TOKEN_PROGRAM_ID } from './token/program/tokenPrograms.js'
import { memo, tokenAccount, transferNative } from './watch/reading.test.support.js'

const AMOUNT = 1_000_000n
const FINAL_DEPTH = 32
/** Slots after which a blockhash is no longer good and that is final. */
const EXPIRY_SLOTS = 220

const vault = accountOf(`0x${'7a'.repeat(32)}`)
const seed = Buffer.alloc(32, 0x5e)
let chain: LocalSvmChain
let token: string
let strange: string
let frozen: string
let adapter: SvmAdapter

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0, finalizedLag: FINAL_DEPTH })
  const [user, solver] = people()
  token = await chain.createToken({ decimals: 6 })
  strange = await chain.createToken({ decimals: 6, program: 'token-2022' })
  frozen = await chain.createToken({ decimals: 6, freezable: true })
  await chain.fund(vault.address, 10n ** 9n)
  await chain.openTokenAccount(vault.address, token)
  for (const mint of [token, strange]) await chain.fund(user.address, 10n ** 9n, mint)
  for (const mint of [token, frozen]) await chain.fund(solver.address, 10n ** 9n, mint)
  adapter = adapterOver(endpoints())
  await adapter.start(new AbortController().signal)
})

afterAll(async () => {
  await adapter?.stop()
  await chain?.close()
})

const people = () => chain.accounts as readonly LocalSvmAccount[] as readonly [LocalSvmAccount, LocalSvmAccount]

const endpoints = (): RpcEndpoint[] => [{ http: chain.rpcUrl, ws: chain.wsUrl, provider: 'local' }]

const adapterOver = (rpc: readonly RpcEndpoint[], signaturePage = 1000): SvmAdapter => {
  const shared = { name: 'Token', groupId: 'token', decimals: 6 }
  const config = {
    id: 9_000_001,
    slug: 'local-svm',
    name: 'Local',
    package: '@causeway/chain-svm',
    rpc,
    currencies: [
      { address: NATIVE, symbol: 'SOL', name: 'Solana', decimals: 9, groupId: 'sol' },
      { ...shared, address: token, symbol: 'TOK' },
      { ...shared, address: frozen, symbol: 'FRZ' },
    ],
    confirmations: { fill: 1, success: 1, settle: FINAL_DEPTH, settleSeconds: 0 },
    solver: people()[1].address,
    enabled: true,
    options: {},
  }
  const options = {
    depository: vault.address,
    depositPoolKey: poolKeyOf(seed),
    genesisHash: chain.genesisHash,
    pollIntervalMs: 50,
    rpcTimeoutMs: 2500,
    endpointCheckMs: 200,
    signaturePage,
  }
  return new SvmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}

/** Instructions of a step item, wire.md A.5. */
const instructionsOf = (data: Json): TransactionInstruction[] => {
  // CAST: the shape of a step item of Solana.
  const { instructions } = data as unknown as {
    readonly instructions: readonly {
      readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
      readonly programId: string
      readonly data: string
    }[]
  }
  return instructions.map(
    ({ keys, programId, data: hex }) =>
      new TransactionInstruction({
        keys: keys.map((key) => ({ ...key, pubkey: new PublicKey(key.pubkey) })),
        programId: new PublicKey(programId),
        data: Buffer.from(hex, 'hex'),
      }),
  )
}

const lookAlikes = (): readonly LookAlike[] => {
  const [user] = people()
  const mention = new TransactionInstruction({
    programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
    keys: [{ pubkey: user.keypair.publicKey, isSigner: true, isWritable: false }],
    data: Buffer.from(vault.address),
  })
  const stranger = Keypair.generate().publicKey.toBase58()
  return [
    {
      what: 'a transfer to somebody else that names the depository',
      make: (orderId) =>
        chain.send(user, [
          transferNative(user.address, stranger, AMOUNT),
          transferNative(user.address, vault.address, 0n),
          mention,
          memo(orderId),
        ]),
      arrived: null,
    },
    {
      what: 'a transfer of nothing',
      make: (orderId) => chain.send(user, [transferNative(user.address, vault.address, 0n), memo(orderId)]),
      arrived: null,
    },
    {
      what: 'tokens that the user sends to itself beside the account of the depository',
      make: (orderId) => {
        const own = new PublicKey(tokenAccount(user.address, token, TOKEN_PROGRAM_ID))
        const ours = new PublicKey(tokenAccount(vault.address, token, TOKEN_PROGRAM_ID))
        const mint = new PublicKey(token)
        const { publicKey } = user.keypair
        return chain.send(user, [
          transferChecked({ source: own, mint, destination: own, owner: publicKey, amount: AMOUNT, decimals: 6 }),
          transferChecked({ source: own, mint, destination: ours, owner: publicKey, amount: 0n, decimals: 6 }),
          memo(orderId),
        ])
      },
      arrived: null,
    },
    {
      what: 'a smaller transfer beside a memo that tells of a larger one',
      make: (orderId) =>
        chain.send(user, [transferNative(user.address, vault.address, 7n), memo(`${orderId} ${AMOUNT}`)]),
      arrived: { currency: NATIVE, amount: 7n },
    },
  ]
}

const hostile = async (kind: HostileKind): Promise<HostileEndpoint> => {
  if (kind === 'wrong-chain') {
    const other = await startLocalSvm({ slotMs: 0 })
    return { endpoint: { http: other.rpcUrl }, close: () => other.close() }
  }
  const node = await startRewritingNode(chain.rpcUrl)
  if (kind === 'forked') {
    node.rewrite('getBlock', (block) => (block === null ? null : { ...Object(block), blockhash: NATIVE }))
    return { endpoint: { http: node.url }, close: () => node.close() }
  }
  await chain.advance(200)
  node.rewrite('getLatestBlockhash', (result) => ({ ...(result as object), context: { slot: 1 } }))
  node.rewrite('getSlot', () => 1)
  return { endpoint: { http: node.url }, close: () => node.close() }
}

const createHarness = (): ConformanceHarness => {
  const [user, solver] = people()
  return {
    versions: { adapter: '@causeway/chain-svm 1.0.0', localChain: 'litesvm 1.5.0' },
    adapter,
    rpc: endpoints(),
    createAdapter: (over) => adapterOver(over),
    smallPages: (over) => adapterOver(over, 2),
    signer: createEd25519Signer(solver.privateKey),
    allocator: createEd25519Signer(vault.privateKey),
    seed,
    user: {
      address: user.address,
      send: (data) => chain.send(user, instructionsOf(data)),
      sendFailing: (data) => {
        const tooMuch = transferNative(user.address, vault.address, 10n ** 15n)
        return chain.send(user, [...instructionsOf(data), tooMuch], { mayFail: true })
      },
    },
    currencies: [NATIVE, token],
    nativeDecimals: 9,
    amount: AMOUNT,
    freshAddress: () => Keypair.generate().publicKey.toBase58(),
    addresses: {
      valid: [user.address, token, NATIVE].map((text) => ({ text, canonical: text })),
      invalid: [
        { text: '0x00000000000000000000000000000000000000aa', problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', problem: 'foreign-network' },
        { text: user.address.slice(0, -2), problem: 'malformed' },
        { text: `${user.address}1`, problem: 'malformed' },
        { text: `0${user.address.slice(1)}`, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 50, payout: 50 },
    finalDepth: FINAL_DEPTH,
    height: () => chain.connection.getSlot('confirmed'),
    patienceSeconds: 60,
    advance: (blocks) => chain.advance(blocks),
    reorg: (depth) => chain.dropSlots(depth),
    expire: () => chain.advance(EXPIRY_SLOTS),
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(),
    impossibleRecipients: async () => {
      const blocked = Keypair.generate().publicKey.toBase58()
      await chain.openTokenAccount(blocked, frozen)
      await chain.freeze(blocked, frozen)
      return [
        { what: 'a mint, for native currency', address: token, currency: NATIVE },
        { what: 'a mint, for tokens', address: token, currency: token },
        { what: 'a frozen account', address: blocked, currency: frozen },
      ]
    },
    hostile,
    forget: async () => {
      await chain.forget(FINAL_DEPTH + 1)
      return { endpoint: { http: chain.rpcUrl }, close: () => chain.forget(0) }
    },
    deviations: {
      'addresses-checksum': 'addresses of Solana have no checksum',
      'sweep-fee': 'the rent of a closed token account, which the estimate leaves out, is more than the sweep costs',
    },
  }
}

test('the Solana adapter keeps every rule of the kit', { timeout: 600_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(createHarness(), { print: (line) => lines.push(line) })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations.map(({ name }) => name)).toEqual(['addresses-checksum', 'sweep-fee'])
  expect(report.exemptions.map(({ name }) => name)).toEqual([
    'deposit-tagged',
    'payout-tagged',
    'payout-shared',
    'payout-replaced',
    'payout-cancelled',
    'sweep-replaced',
    'wallet-signature',
    'wallet-hostile',
    'wallet-agreed',
    'permit-bound',
    'permit-paid',
    'permit-once',
    'permit-found',
  ])
  expect(report.passed).toBe(RULE_IDS.length - 15)
})

/** Judges as if its blockhash were out of date so many blocks sooner than it is. */
const deadSooner = (blocks: bigint): Alteration =>
  laneWith((real) => ({
    payoutVerdict: (guards, ...more) =>
      real.payoutVerdict(
        guards.map((guard) => {
          const read = readSequenceGuard(guard)
          return read === null
            ? guard
            : sequenceGuard({ ...read, lastValidBlockHeight: read.lastValidBlockHeight - blocks })
        }),
        ...more,
      ),
  }))

const SAYS: Partial<Record<RuleId, string>> = {
  'death-early': 'wait until the last block that can hold it is final',
  'death-asked': 'mayBeDead allowing',
  'final-height': 'may still be replaced',
}

interface Mutant {
  readonly wrong: string
  readonly rule: RuleId
  /** Nothing that comes tells of it: the kit must lose its patience. */
  readonly silent?: true
  readonly wrap: Alteration
}

const mutants: readonly Mutant[] = [
  {
    wrong: 'calls a payment dead as soon as its time is over, final or not',
    rule: 'death-early',
    wrap: deadSooner(32n),
  },
  { wrong: 'calls a payment dead while a block may still hold it', rule: 'death-early', wrap: deadSooner(2n) },
  {
    wrong: 'never lets anybody ask whether a payment is dead',
    rule: 'death-asked',
    silent: true,
    wrap: laneWith(() => ({ mayBeDead: async () => false })),
  },
  {
    wrong: 'calls the newest slot final',
    rule: 'final-height',
    wrap: adapterWith((real) => ({ finalHeight: async () => (await real.tip()).height })),
  },
]

test.each(mutants)('the kit notices an adapter that $wrong ($rule)', async ({ rule, silent, wrap }) => {
  // A node of a chain that is younger than a blockhash lives cannot tell of its beginning.
  await chain.advance(EXPIRY_SLOTS)
  const cases = conformanceCases({ ...harnessWith(createHarness(), wrap), patienceSeconds: silent ? 6 : 60 })
  await expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(SAYS[rule])
})
