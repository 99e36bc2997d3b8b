import { Link } from '@tanstack/react-router'
import { Button } from '../../../components/controls/Button.js'
import { shortened } from '../../../components/values/Copyable.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { CommandButton, REASON } from '../parts/CommandDialog.js'
import { parkedHref } from '../parts/hrefs.js'
import { moneyText } from '../parts/money/moneyText.js'
import type { RequestExplanation } from './explanation.js'

const words = consoleTexts.explain
const TYPED = 6

/** Only an operator's refund leaves the status `failure`. */
export const RefundRequest = ({
  request: { requestId, quote, deposits },
}: {
  readonly request: RequestExplanation
}) => {
  const [deposit] = deposits
  return (
    <div className="row">
      <CommandButton
        text={words.refund}
        kind="primary"
        title={`${words.refund}: ${shortened(requestId)}`}
        effect={({ to = '' }) => (
          <>
            {words.refundEffect(
              deposit === undefined ? words.theMoney : moneyText(deposit.money),
              to.trim() === '' ? (quote.refundTo ?? words.usualRefund) : to.trim(),
            )}{' '}
            {consoleTexts.action.lastCharacters(TYPED, consoleTexts.parts.requestId)}
          </>
        )}
        fields={[{ name: 'to', label: consoleTexts.parked.to, hint: consoleTexts.parked.toHint }, REASON]}
        call={({ to = '', reason = '' }) => ({
          name: 'refund',
          arguments: [requestId],
          options: { to: to.trim(), reason },
        })}
        retype={() => requestId.slice(-TYPED)}
        confirmWith={() => requestId}
        confirm={consoleTexts.parked.refund}
      />
      {deposit !== undefined && (
        <Button asChild>
          <Link to={parkedHref(deposit.id)}>{words.itsDeposit}</Link>
        </Button>
      )}
    </div>
  )
}
