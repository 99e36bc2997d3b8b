import { Link } from '@tanstack/react-router'
import { Button } from '../../../components/controls/Button.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { parkedHref } from '../parts/hrefs.js'
import { Deposit } from './Deposit.js'
import type { ParkedExplanation } from './explanation.js'
import { StoryParts } from './StoryParts.js'

const words = consoleTexts.explain

/** A deposit that belongs to no request. */
export const ParkedStory = ({ parked }: { readonly parked: ParkedExplanation }) => (
  <section className="stack" aria-label={words.parked}>
    <div className="row between">
      <h2>{words.parked}</h2>
      {parked.deposit.outcome === null && (
        <Button asChild kind="primary">
          <Link to={parkedHref(parked.deposit.id)}>{words.actParked}</Link>
        </Button>
      )}
    </div>
    <StoryParts story={parked} deposited={parked.deposit.money}>
      <Deposit deposit={parked.deposit} />
    </StoryParts>
  </section>
)
