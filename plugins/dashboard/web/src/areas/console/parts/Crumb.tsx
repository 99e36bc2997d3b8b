import { Link } from '@tanstack/react-router'

/** The way back to a list. `href` is a path of this area. */
export const Crumb = ({ href, text }: { readonly href: string; readonly text: string }) => <Link to={href}>{text}</Link>
