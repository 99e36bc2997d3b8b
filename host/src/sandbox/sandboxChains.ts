import { rmSync } from 'node:fs'
import { isSameBvmChain, startBvmChain } from './bvmSandboxChain.js'
import type { ChainPlan } from './chainPlans.js'
import { isSameEvmChain, startEvmChain } from './evmSandboxChain.js'
import { SandboxError } from './sandboxError.js'
import type { ChainKeys } from './sandboxKeys.js'
import type { SandboxPaths } from './sandboxPaths.js'
import type { SandboxChain } from './sandboxState.js'
import { isSameSvmChain, startSvmChain } from './svmSandboxChain.js'

/** What a chain of the sandbox is made with. */
export interface ChainParties {
  readonly keys: ChainKeys
  /** Addresses on this chain that get something to spend. */
  readonly users: readonly string[]
  onProcess(pid: number): void
}

/** A chain that runs, and how to end it should its preparation fail. */
export interface StartedChain {
  prepare(): Promise<Omit<SandboxChain, 'id' | 'name' | 'vmType'>>
  close(): Promise<void>
}

const STARTS = { evm: startEvmChain, svm: startSvmChain, bvm: startBvmChain }
const SAMES = { evm: isSameEvmChain, svm: isSameSvmChain, bvm: isSameBvmChain }

/** Starts a local chain that outlives this process, deploys what it needs, funds solver and users. @throws SandboxError */
export const startSandboxChain = async (
  paths: SandboxPaths,
  plan: ChainPlan,
  parties: ChainParties,
): Promise<SandboxChain> => {
  const logPath = paths.chainLog(plan.slug)
  rmSync(logPath, { force: true })
  const chain = await STARTS[plan.vmType](plan, logPath, parties)
  try {
    return { id: plan.id, name: plan.slug, vmType: plan.vmType, ...(await chain.prepare()) }
  } catch (error) {
    await chain.close()
    throw new SandboxError(`The local chain ${plan.slug} could not be prepared; its log is ${logPath}.`, {
      cause: error,
    })
  }
}

/** Whether a recorded chain still runs and is the same one. */
export const isSameChain = (chain: SandboxChain): Promise<boolean> => SAMES[chain.vmType](chain)
