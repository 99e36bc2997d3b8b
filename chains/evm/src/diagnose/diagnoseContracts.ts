import type { Diagnosis, DiagnosisRequest, JsonRpcEndpoint, RpcOutcome } from '@causeway/core'
import { toFunctionSelector } from 'viem/utils'
import type { DiagnoseDeps } from './diagnose.js'

const ALLOCATOR = toFunctionSelector('allocator()')

const text = (outcome: RpcOutcome | undefined): string => (outcome?.ok === true ? String(outcome.result) : '0x')

/** The depository and the fill router are where they should be, and the depository obeys the operator's own allocator. */
export const diagnoseContracts = async (
  endpoint: JsonRpcEndpoint,
  { config, settings }: DiagnoseDeps,
  { allocator }: DiagnosisRequest,
): Promise<readonly Diagnosis[]> => {
  const { depository, fillRouter } = settings
  const code = (address: string) => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const [depositoryCode, answer, routerCode] = await endpoint.batch([
    code(depository),
    { method: 'eth_call', params: [{ to: depository, data: ALLOCATOR }, 'latest'] },
    ...(fillRouter === null ? [] : [code(fillRouter)]),
  ])
  const found = [present(`${config.slug} depository`, text(depositoryCode), 'depository')]
  if (fillRouter !== null) found.push(present(`${config.slug} fill router`, text(routerCode), 'fillRouter'))
  if (text(depositoryCode) !== '0x') found.push(obeys(`${config.slug} depository`, text(answer), allocator))
  return found
}

const present = (subject: string, code: string, option: string): Diagnosis =>
  code === '0x'
    ? {
        check: 'contract',
        subject,
        state: 'fault',
        message: 'there is no contract at the configured address',
        remedy: `Correct "${option}" in the chain's options, or deploy it.`,
      }
    : { check: 'contract', subject, state: 'ok', message: 'is deployed' }

const obeys = (subject: string, answer: string, allocator: string | null): Diagnosis => {
  const check = 'allocator'
  if (answer.length < 66) {
    const message = 'does not name its allocator: it is another contract'
    return { check, subject, state: 'fault', message, remedy: 'Correct "depository" in the chain\'s options.' }
  }
  const named = `0x${answer.slice(26, 66)}`
  if (allocator === null)
    return { check, subject, state: 'ok', message: `obeys ${named}; this process has no allocator key` }
  return named === allocator.toLowerCase()
    ? { check, subject, state: 'ok', message: 'obeys the allocator key of this deployment' }
    : {
        check,
        subject,
        state: 'fault',
        message: `obeys ${named}, not the allocator key of this deployment (${allocator})`,
        remedy: 'Use the key that belongs to it: without it no deposit can be withdrawn.',
      }
}
