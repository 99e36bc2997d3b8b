import { SelectField } from '../../../components/controls/Field.js'
import { useAddress } from '../../../shell/address.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'

const words = dashboardTexts.balance
const SPANS = ['7', '30', '90', '365'] as const
const DAY = 86_400

/** The time of books, in days until now; the address keeps it. */
export const usePeriod = () => {
  const { values } = useAddress()
  const days = SPANS.find((each) => each === values.days) ?? '30'
  return {
    days,
    /** Whole hours, so that the same question is asked again. */
    startTimestamp: Math.floor(Date.now() / 3_600_000) * 3_600 - Number(days) * DAY,
  }
}

export const PeriodField = () => {
  const { change } = useAddress()
  const { days } = usePeriod()
  return (
    <SelectField
      label={words.span}
      choices={SPANS.map((value) => ({ value, text: words.spans[value] }))}
      value={days}
      onChange={({ target }) => change({ days: target.value })}
    />
  )
}
