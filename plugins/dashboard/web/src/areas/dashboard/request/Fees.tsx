import { Amount } from '../../../components/values/Amount.js'
import { usdText } from '../../../components/values/amountText.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import type { MemberRequest } from './memberRequest.js'

const words = dashboardTexts.request

/** Fees line by line, as quoted and as they came to be. */
export const Fees = ({ fees }: Pick<MemberRequest, 'fees'>) => {
  const lines = fees?.lines.filter(
    ({ amount, quotedUsd, actualUsd }) => amount !== '0' || isMoney(quotedUsd) || isMoney(actualUsd),
  )
  return (
    <section className="card" aria-label={words.fees}>
      <div className="tight">
        <h2>{words.fees}</h2>
        <p className="soft small">{lines === undefined || lines.length === 0 ? words.feesNone : words.feesLead}</p>
      </div>
      {lines !== undefined && lines.length > 0 && (
        <div className="plain-table-scroll">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{words.feeColumns.name}</th>
                <th scope="col" data-align="end">
                  {words.feeColumns.amount}
                </th>
                <th scope="col" data-align="end">
                  {words.feeColumns.quoted}
                </th>
                <th scope="col" data-align="end">
                  {words.feeColumns.actual}
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ name, amount, decimals, symbol, quotedUsd, actualUsd }) => (
                <tr key={name}>
                  <th scope="row">{words.feeNames[name] ?? name}</th>
                  <td data-align="end">
                    <Amount {...{ amount, decimals, symbol }} />
                  </td>
                  <td data-align="end">{usdText(quotedUsd)}</td>
                  <td data-align="end">{actualUsd === null ? texts.data.none : usdText(actualUsd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {fees !== null && fees.appFees.length > 0 && (
        <div className="tight">
          <h3>{words.appFees}</h3>
          <ul className="tight">
            {fees.appFees.map(({ recipient, bps, amount, amountUsd }) => (
              <li key={`${recipient} ${bps} ${amount}`} className="row between">
                <Copyable text={recipient} what={words.names.recipient} short />
                <span className="number">
                  {words.bps(bps)}
                  {amountUsd !== null && ` · ${usdText(amountUsd)}`}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

const isMoney = (usd: string | null): boolean => usd !== null && /[1-9]/.test(usd)
