import type { Hex } from '@causeway/core'
import { keccak256, toHex } from 'viem'
import { freshAddress } from '../../harness/transfer.js'
import { type BenchWorld, startScript, waitUntilQuoting } from '../benchWorld.js'
import { Depositor } from '../depositor.js'
import { PaymentWatch } from '../paymentWatch.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { TransferSource } from '../transfers.js'

const DEPOSIT_TOPIC = keccak256(toHex('RelayErc20Deposit(address,address,uint256,bytes32)'))
const AMOUNT = 1_000_000n
const USER = 0
const FLOOR_USER = 1
const FLOOR_SOLVER = 2

interface Sample {
  readonly recipient: string
  send(): Promise<void>
}

/** (b) From sending a deposit to the log of its fill, one at a time, against a script that only listens and pays. */
export const measureDepositToFill = async (world: BenchWorld): Promise<Measurement[]> => {
  const { network, scale } = world
  const host = await world.startHost({ databaseUrl: await world.createDatabase() })
  await waitUntilQuoting(world, host.url)
  const source = await TransferSource.open(world, USER)
  const watch = await PaymentWatch.open(network.chains[1])
  const floor = await startFloor(world)
  const contestants = {
    causeway: async () => {
      const transfers = await source.prepare(host.url, scale.transfersPerRound)
      return timed(
        watch,
        transfers.map(({ recipient, deposit }) => ({ recipient, send: () => source.depositor.send(deposit) })),
      )
    },
    floor: async () => timed(watch, await floor.samples(scale.transfersPerRound)),
  }
  await contestants.floor()
  await contestants.causeway()
  const results = await interleave(scale.rounds, contestants, (round) =>
    world.say(`deposit to fill: round ${round + 1} of ${scale.rounds}`),
  )
  watch.close()
  await floor.stop()
  await world.stopHost(host)
  const measurement = (key: string, limit: number): Measurement => ({
    case: 'b',
    what: `deposit sent to fill, ${key}`,
    unit: 'ms',
    value: results.causeway[key] ?? Number.NaN,
    floor: results.floor[key] ?? Number.NaN,
    floorIs: 'a script with a log subscription that pays at once and keeps nothing',
    target: { of: 'ratio', limit, better: 'less' },
  })
  return [measurement('p50', 3), measurement('p99', 5)]
}

const timed = async (watch: PaymentWatch, samples: readonly Sample[]): Promise<Record<string, number>> => {
  const times = new Float64Array(samples.length)
  let index = 0
  for (const { recipient, send } of samples) {
    watch.forget(recipient)
    const sentAt = performance.now()
    const paid = watch.paid(recipient)
    await send()
    times[index++] = (await paid) - sentAt
  }
  times.sort()
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** The script, paying for deposits in a depository of its own, so that neither disturbs the other. */
const startFloor = async ({ network }: BenchWorld) => {
  const [origin, destination] = network.chains
  const allocator = network.roles.allocator.address
  const { depository } = await origin.chain.deployContracts({ owner: allocator, allocator })
  const user = network.users[FLOOR_USER]
  const solver = network.users[FLOOR_SOLVER]
  if (user === undefined || solver === undefined) throw new Error('The network has too few users')
  const depositor = await Depositor.open(origin.chain, user, origin.usdc, depository)
  const recipient = freshAddress()
  const script = startScript('payoutFloor.js', [
    JSON.stringify({
      originWs: origin.chain.wsUrl,
      depository,
      depositTopic: DEPOSIT_TOPIC,
      destinationUrl: destination.chain.rpcUrl,
      destinationChainId: destination.chain.chainId,
      token: destination.usdc,
      recipient,
      privateKey: solver.privateKey,
    }),
  ])
  await script.said('ready')
  return {
    samples: async (count: number): Promise<Sample[]> => {
      const samples: Sample[] = []
      for (let index = 0; index < count; index += 1) {
        const orderId: Hex = `0x${index.toString(16).padStart(64, '0')}`
        const deposit = await depositor.sign(orderId, AMOUNT)
        samples.push({ recipient, send: () => depositor.send(deposit) })
      }
      return samples
    },
    stop: script.stop,
  }
}
