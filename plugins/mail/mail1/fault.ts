/** One entry of the vendor's error table (Send API v3.1, "Send API errors"). Pure values. */
export class Fault {
  constructor(
    readonly code: string,
    readonly message: string,
    /** Paths of the properties concerned. */
    readonly relatedTo: readonly string[] = [],
    readonly status = 400,
  ) {}

  static malformed(): Fault {
    return new Fault("mj-0002", "Malformed JSON, please review the syntax and properties types.");
  }
  /** Absent, or null. */
  static missing(path: string): Fault {
    return new Fault("mj-0003", "Missing mandatory property.", [path]);
  }
  /** `expected` in the vendor's words: `emailIn`, `string`. */
  static wrongType(path: string, expected: string): Fault {
    return new Fault("mj-0004", `Type mismatch. Expected type "${expected}".`, [path]);
  }
  static notAllowed(
    path: string,
    about: { readonly value: unknown; readonly allowed: readonly unknown[] },
  ): Fault {
    const allowed = about.allowed.join(", ");
    return new Fault(
      "mj-0005",
      `Value "${about.value}" is invalid. Allowed values are: ${allowed}.`,
      [
        path,
      ],
    );
  }
  /** `max` in characters. */
  static tooLong(path: string, max: number): Fault {
    return new Fault(
      "mj-0006",
      `Characters limit exceeded for the property. Max allowed - ${max}.`,
      [path],
    );
  }
  static emptyArray(path: string): Fault {
    return new Fault("mj-0007", "An empty array is not allowed for the property.", [path]);
  }
  static tooMany(path: string, max: number): Fault {
    return new Fault("mj-0008", `Elements limit exceeded for the property. Max allowed - ${max}.`, [
      path,
    ]);
  }
  /** `maxBytes` is a whole number of mebibytes. */
  static tooLarge(maxBytes: number, relatedTo: readonly string[] = []): Fault {
    const size = Math.floor(maxBytes / 1024 ** 2);
    return new Fault("mj-0011", `Input payload must be less than ${size}MB.`, relatedTo);
  }
  static emptyText(path: string): Fault {
    return new Fault("mj-0012", "An empty string is not allowed for the property.", [path]);
  }
  static badAddress(path: string, text: string): Fault {
    return new Fault("mj-0013", `"${text}" is an invalid email address.`, [path]);
  }
  static unauthorized(): Fault {
    return new Fault(
      "mj-0015",
      "API key authentication/authorization failure. You may be unauthorized to access the API or your API key may be expired. Visit API keys management section to check your keys.",
      [],
      401,
    );
  }
  static noContent(): Fault {
    return new Fault(
      "send-0003",
      'At least "HTMLPart", "TextPart" or "TemplateID" must be provided.',
      ["HTMLPart", "TextPart", "TemplateID"],
    );
  }
  static reservedHeader(name: string): Fault {
    return new Fault(
      "send-0011",
      `Header "${name}" cannot be customized. Please use the dedicated message property to set this header.`,
      [`Headers["${name}"]`],
    );
  }
  static deduplicationWithoutCampaign(): Fault {
    return new Fault(
      "send-0012",
      '"DeduplicateCampaign" cannot be set to true without "CustomCampaign".',
      ["CustomCampaign", "DeduplicateCampaign"],
    );
  }
  static tooManyRecipients(max: number): Fault {
    return new Fault("send-0015", `Recipients limit exceeded. Max allowed - ${max}.`, [
      "To",
      "CC",
      "Bcc",
    ]);
  }
  static noTemplateLanguage(): Fault {
    return new Fault(
      "send-0016",
      '"TemplateLanguage" must be provided with "TemplateErrorReporting" or "TemplateErrorDeliver".',
      ["TemplateLanguage"],
    );
  }
  /** Not a code of the vendor's, who has no such limit: our store of attachments is full. */
  static storeFull(detail: string): Fault {
    return new Fault("capacity-exceeded", detail, ["Attachments", "InlinedAttachments"], 507);
  }
}

/** A fault that refuses the call as a whole, whichever message it is in. */
export class CallRefused extends Error {
  override name = "CallRefused";

  constructor(readonly fault: Fault) {
    super(fault.message);
  }

  /** What the vendor says of a wrong type anywhere. */
  static wrongType(path: string, expected: string): CallRefused {
    return new CallRefused(Fault.wrongType(path, expected));
  }
}
