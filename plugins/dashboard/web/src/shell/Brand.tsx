import { texts } from '../texts/texts.js'

export const Brand = ({ href }: { readonly href: string }) => (
  <a className="brand" href={href}>
    <img src="/dashboard/icon.svg" alt="" />
    {texts.product}
  </a>
)
