import { consoleTexts } from '../../../texts/consoleTexts.js'

/** Why something failed: in words where there are some, with the code that the API gives. */
export const Reason = ({ code }: { readonly code: string }) => {
  const said = consoleTexts.explain.reasons[code]
  return (
    <span className="wrap">
      {said !== undefined && `${said} `}
      <code className="small">{code}</code>
    </span>
  )
}
