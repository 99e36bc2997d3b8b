/** Chain parameters that this network obeys, as the main network had them in 2025; amounts in sun. */
export const DEFAULT_PARAMETERS = {
  getCreateAccountFee: 100_000,
  getTransactionFee: 1000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateNewAccountBandwidthRate: 1,
  getEnergyFee: 100,
  getMemoFee: 1_000_000,
  getFreeNetLimit: 600,
  getTotalNetLimit: 43_200_000_000,
  getTotalEnergyCurrentLimit: 180_000_000_000,
  getMaxFeeLimit: 15_000_000_000,
  getMaxCpuTimeOfOneTx: 80,
  getForbidTransferToContract: 1,
} as const

export type ParameterName = keyof typeof DEFAULT_PARAMETERS
export type Parameters = Readonly<Record<ParameterName, number>>

export const isParameter = (name: string): name is ParameterName => Object.hasOwn(DEFAULT_PARAMETERS, name)
