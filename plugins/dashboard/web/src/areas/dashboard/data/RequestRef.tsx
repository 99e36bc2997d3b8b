import { shortened } from '../../../components/values/Copyable.js'
import { AppLink } from '../../../shell/AppLink.js'
import { texts } from '../../../texts/texts.js'

/** The request that something is about. */
export const RequestRef = ({ id }: { readonly id: string | null }) =>
  id === null ? (
    <span className="faint">{texts.data.none}</span>
  ) : (
    <AppLink to={`/dashboard/requests/${id}`} className="mono">
      {shortened(id, 14)}
    </AppLink>
  )
