/** Names of providers as people know them: the vendor or protocol, and other words for it. */

/** The names that a provider declares. */
export interface NamedProvider {
  /** Its id. */
  readonly id: string;
  /** Display name. */
  readonly title: string;
  /** Name of the vendor or protocol alone. */
  readonly shortTitle?: string;
  /** Further words for it. */
  readonly aliases?: readonly string[];
}

/** The providers of a plugin, with their names. */
export interface NamedPlugin {
  /** Its id. */
  readonly id: string;
  /** Its providers. */
  readonly providers: readonly NamedProvider[];
}

/** A provider that can be named. */
export interface ProviderPlace {
  /** Id of its plugin. */
  readonly plugin: string;
  /** Its own id. */
  readonly id: string;
  /** As {@link aliasesOf} returns them. */
  readonly aliases: readonly string[];
}

/** Returns the vendor or protocol: `SendGrid`. */
export function vendorOf({ title, shortTitle }: NamedProvider): string {
  return shortTitle ?? title;
}

/** Returns `SendGrid (mail2)`, or the vendor alone if the id says the same. */
export function shownProvider(provider: NamedProvider): string {
  const vendor = vendorOf(provider);
  return vendor.toLowerCase() === provider.id ? vendor : `${vendor} (${provider.id})`;
}

/** Returns the same for `mail/mail2`; anything else unchanged. */
export function shownPlace(on: string, plugins: readonly NamedPlugin[]): string {
  const [plugin, id] = on.split("/", 2);
  const provider = plugins.find((one) => one.id === plugin)?.providers.find((one) => one.id === id);
  return provider === undefined ? on : shownProvider(provider);
}

/** Returns the words that mean the provider besides its id: its vendor, and its aliases. */
export function aliasesOf(provider: NamedProvider): readonly string[] {
  const words = [vendorOf(provider), ...provider.aliases ?? []].map(toWord);
  return [...new Set(words)].filter((word) => word !== "" && word !== provider.id);
}

/** Lower case, with a hyphen for everything else: people write `SendGrid`, `Amazon S3` and `amazon-s3`. */
function toWord(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

/** Returns every provider of the plugins. */
export function providerPlaces(plugins: readonly NamedPlugin[]): readonly ProviderPlace[] {
  return plugins.flatMap(({ id: plugin, providers }) =>
    providers.map((provider) => ({ plugin, id: provider.id, aliases: aliasesOf(provider) }))
  );
}

/**
 * Returns the providers that a word means: by id or `plugin/id`, else by an alias, alone or after the plugin, in any
 * case. Several providers may have the same id, but not the same alias.
 */
export function placesNamed<P extends ProviderPlace>(name: string, places: readonly P[]): P[] {
  const exact = places.filter(({ plugin, id }) => name === id || name === `${plugin}/${id}`);
  return exact.length > 0 ? exact : places.filter((place) => isAlias(name, place));
}

/** Returns whether a word is an alias of the provider, alone or after its plugin. */
export function isAlias(name: string, { plugin, aliases }: ProviderPlace): boolean {
  const slash = name.indexOf("/");
  if (slash >= 0 && name.slice(0, slash) !== plugin) return false;
  return aliases.includes(toWord(name.slice(slash + 1)));
}

/** Yields what is wrong with the aliases: each must mean one provider, and no plugin but its own. */
export function* aliasProblems(plugins: readonly NamedPlugin[]): Generator<string> {
  const owners = new Map<string, string>();
  for (const { plugin, id, aliases } of providerPlaces(plugins)) {
    const whole = `${plugin}/${id}`;
    for (const alias of aliases) {
      const cannot = `Cannot use alias "${alias}" of provider "${whole}"`;
      const other = owners.get(alias);
      if (other !== undefined) yield `${cannot}: "${other}" has it, too`;
      owners.set(alias, whole);
      for (const { id: name, providers } of plugins) {
        if (providers.some((one) => one.id === alias)) {
          yield `${cannot}: it is the id of "${name}/${alias}"`;
        }
        const isItsOwn = name === plugin && providers.length === 1;
        if (name === alias && !isItsOwn) yield `${cannot}: it is the id of a plugin`;
      }
    }
  }
}
