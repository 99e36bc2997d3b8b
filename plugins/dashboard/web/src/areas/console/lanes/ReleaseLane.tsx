import { shortened } from '../../../components/values/Copyable.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { CommandButton, REASON } from '../parts/CommandDialog.js'
import type { LaneReport, UnmatchedPayment } from './laneReport.js'

const words = consoleTexts.lanes

/** Opens a quarantined lane: for one payment, or for all that keeps it shut. */
export const ReleaseLane = ({
  lane: { chain, signer, unmatched },
  payment,
}: {
  readonly lane: LaneReport
  readonly payment: UnmatchedPayment | null
}) => {
  const what =
    payment === null
      ? words.releaseAll(unmatched.filter(({ shuts }) => shuts).length)
      : words.releaseTx(shortened(payment.txId))
  return (
    <CommandButton
      text={payment === null ? words.release : words.releaseOne}
      {...(payment === null ? {} : { size: 'small' as const })}
      title={words.release}
      effect={() => words.releaseEffect(chain, what)}
      fields={[REASON]}
      call={({ reason = '' }) => ({
        name: 'lanes release',
        arguments: [chain, signer],
        options: payment === null ? { all: true, reason } : { tx: payment.txId, reason },
      })}
      retype={() => chain}
      confirm={words.release}
      danger
    />
  )
}
