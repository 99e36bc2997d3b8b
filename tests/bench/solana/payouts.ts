import type { Hex } from '@causeway/core'
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import { type CrossNetwork, EVM_ID, SVM_ID } from '../../solana/crossNetwork.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { watchAccount } from './accountSocket.js'

const AMOUNT = 10n ** 9n
const USER = 0
const FLOOR_USER = 3
const LIMIT_MS = 50

interface EvmStep {
  readonly to: string
  readonly data: Hex
  readonly value: string
}

/** (h) From a deposit that is in a block of an EVM chain to its payout on Solana, less what a bare transfer there takes. */
export const measurePayouts = async (world: BenchWorld, network: CrossNetwork): Promise<Measurement[]> => {
  const { scale, say } = world
  const databaseUrl = await world.createDatabase()
  const host = await startHostProcess({
    network: network.host,
    databaseUrl,
    solver: { withdrawals: false },
    longLife: scale.longLife,
  })
  try {
    const apiKey = await createApiKey({ network: network.host, databaseUrl })
    const client = await UserClient.open(network, { url: host.url, apiKey })
    const contestants = {
      causeway: () => sampled(scale.transfersPerRound, () => transfer(network, client)),
      floor: () => sampled(scale.transfersPerRound, () => bareTransfer(network)),
    }
    await contestants.floor()
    await contestants.causeway()
    const { causeway, floor } = await interleave(scale.rounds, contestants, (round) =>
      say(`payouts on Solana: round ${round + 1}`),
    )
    const [value, bare] = [causeway.p50 ?? Number.NaN, floor.p50 ?? Number.NaN]
    return [
      {
        case: 'h',
        what: 'deposit mined to payout on Solana, p50',
        unit: 'ms',
        value,
        floor: bare,
        floorIs: 'a bare transfer, sent to seen',
      },
      {
        case: 'h',
        what: 'of that added by the service, p50',
        unit: 'ms',
        value: value - bare,
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
    ]
  } finally {
    host.signal('SIGTERM')
    await host.ended
  }
}

const sampled = async (count: number, take: () => Promise<number>): Promise<Record<string, number>> => {
  const times = new Float64Array(count)
  for (let index = 0; index < count; index += 1) times[index] = await take()
  times.sort()
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** Milliseconds from the block of the deposit until the recipient has something. */
const transfer = async (network: CrossNetwork, client: UserClient): Promise<number> => {
  const recipient = Keypair.generate().publicKey
  const quote = await client.quote({
    from: EVM_ID,
    to: SVM_ID,
    symbol: 'SOL',
    amount: AMOUNT,
    user: USER,
    recipient: recipient.toBase58(),
  })
  const user = network.evmUsers[USER]
  if (user === undefined) throw new Error('The network has no users')
  const arrival = await watchAccount(network.svm.wsUrl, recipient.toBase58())
  for (const { data } of quote.steps.flatMap(({ items }) => items)) {
    // CAST: the step items of an EVM chain.
    const { to, data: call, value } = data as EvmStep
    await network.evm.send(user, { to, data: call, value: BigInt(value) })
  }
  const minedAt = performance.now()
  return (await arrival.seen) - minedAt
}

/** The same for a transfer that is signed and sent at once. */
const bareTransfer = async ({ svm, svmUsers }: CrossNetwork): Promise<number> => {
  const payer = svmUsers[FLOOR_USER]?.keypair
  if (payer === undefined) throw new Error('The network has too few users')
  const toPubkey = Keypair.generate().publicKey
  const arrival = await watchAccount(svm.wsUrl, toPubkey.toBase58())
  const recentBlockhash = (await svm.connection.getLatestBlockhash()).blockhash
  const startedAt = performance.now()
  const instructions = [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: Number(AMOUNT) })]
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([payer])
  await svm.connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  return (await arrival.seen) - startedAt
}
