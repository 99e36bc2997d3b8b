/** Variables by name, as a process is given them. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Reads variables of the process for plugins and chain packages: those whose names stand in their options, such as the key of
 * an outside service. One at a time, so that nobody prints them all: others hold keys.
 */
export interface Environment {
  /** Undefined where the variable is not set. */
  read(name: string): string | undefined
}

/** An environment over given variables, looked up when they are read. */
export const environmentOf = (variables: EnvironmentVariables): Environment => ({ read: (name) => variables[name] })
