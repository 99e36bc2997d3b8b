import { Button } from '../components/controls/Button.js'
import { texts } from '../texts/texts.js'

export const NotFound = () => (
  <main className="state">
    <h1>{texts.failures.notFound}</h1>
    <p>{texts.failures.notFoundLead}</p>
    <Button asChild>
      <a href="/dashboard">{texts.failures.home}</a>
    </Button>
  </main>
)
