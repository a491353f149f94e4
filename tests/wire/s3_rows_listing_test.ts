/** What S3 clients rely on: buckets (B) and listings of their objects (L). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { begin, fill, pick, row, type Store } from "../support/s3.ts";

const REGION =
  "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>";

row(
  "B1 buckets are listed by name, with their owner and the time of their making",
  async (store) => {
    for (const name of ["zed", "a.b", "a-b"]) await store.text("PUT", `/${name}`, 200);
    const text = await store.text("GET", "/", 200);
    assertMatch(
      text,
      /<ListAllMyBucketsResult [^>]*><Owner><ID>[^<]+<\/ID><DisplayName>[^<]+<\/DisplayName><\/Owner><Buckets><Bucket><Name>/,
    );
    assertEquals(pick(text, "Name"), ["a-b", "a.b", "box", "zed"]);
    assertEquals(pick(text, "CreationDate").length, 4);
  },
);

row(
  "B2 buckets are paged by max-buckets and continuation-token, and chosen by prefix",
  async (store) => {
    for (const name of ["one", "two", "two-more"]) await store.text("PUT", `/${name}`, 200);
    const seen: string[][] = [];
    let token: string | undefined = "";
    while (token !== undefined) {
      const after: string = token === "" ? "" : `&continuation-token=${token}`;
      const page: string = await store.text("GET", `/?max-buckets=2${after}`, 200);
      seen.push(pick(page, "Name"));
      token = pick(page, "ContinuationToken")[0];
    }
    assertEquals(seen, [["box", "one"], ["two", "two-more"]]);
    const chosen = await store.text("GET", "/?prefix=two", 200);
    assertEquals([pick(chosen, "Name"), pick(chosen, "Prefix")], [["two", "two-more"], ["two"]]);
  },
);

row("B3 a bucket is made with its location, and an empty answer", async (store) => {
  const made = await store.send("PUT", "/far-away", { body: REGION });
  assertEquals([made.status, await made.text()], [200, ""]);
  assertEquals(made.headers.get("location"), "/far-away");
  assertMatch(
    await store.text("GET", "/far-away?location", 200),
    />eu-west-1<\/LocationConstraint>$/,
  );
});

const located = (region: string) => ({ body: REGION.replace("eu-west-1", region) });

row("B12 a bucket in an unknown region is refused", async (store) => {
  const invalid = "400 InvalidLocationConstraint";
  for (const region of ["mars-north-1", "eu-west-9", "eu-west-1a", "EU-WEST-1"]) {
    assertEquals(await store.code("PUT", "/new-box", located(region)), invalid, region);
    assertEquals(await store.code("PUT", "/box", located(region)), invalid, region);
  }
  assertEquals(await store.code("HEAD", "/new-box"), "404");
  for (const [at, region] of ["EU", "us-east-1", "ap-southeast-7", "us-gov-west-1"].entries()) {
    await store.text("PUT", `/new-box-${at}`, 200, located(region));
  }
});

row("B13 a setting adds the regions of another store", async (store) => {
  await store.text("PUT", "/new-box", 200, located("nyc3"));
  assertMatch(await store.text("GET", "/new-box?location", 200), />nyc3<\/LocationConstraint>$/);
  assertEquals(
    await store.code("PUT", "/other", located("nyc4")),
    "400 InvalidLocationConstraint",
  );
}, { regions: ["nyc3"] });

row("B4 making a bucket that exists is 200 and changes nothing", async (store) => {
  await fill(store, ["a"]);
  const before = await store.text("GET", "/", 200);
  const made = await store.send("PUT", "/box", { body: REGION });
  assertEquals([made.status, made.headers.get("location"), await made.text()], [200, "/box", ""]);
  assertEquals(
    pick(await store.text("GET", "/", 200), "CreationDate"),
    pick(before, "CreationDate"),
  );
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assert(!(await store.text("GET", "/box?location", 200)).includes("eu-west-1"));
  assertEquals(store.service.events.list({ type: "s3.bucket.create" }), []);
});

row(
  "B11 making a bucket that exists with another ownership of objects is refused",
  async (store) => {
    const make = (ownership: string) =>
      store.code("PUT", "/box", { headers: { "x-amz-object-ownership": ownership } });
    assertEquals(await make("ObjectWriter"), "409 BucketAlreadyOwnedByYou");
    assertEquals(
      await store.code("GET", "/box?ownershipControls"),
      "404 OwnershipControlsNotFoundError",
    );
    const headers = { "x-amz-object-ownership": "ObjectWriter" };
    for (const _ of ["first", "again"]) await store.text("PUT", "/new-box", 200, { headers });
  },
);

row("B5 names of 3 to 63 characters, dots and dashes in them, are taken", async (store) => {
  for (const name of ["abc", "1-2.3", "a.b-c", "a".repeat(60), "a".repeat(63), "0".repeat(63)]) {
    await store.text("PUT", `/${name}`, 200);
    await store.text("DELETE", `/${name}`, 204);
  }
});

row("B6 HEAD of a bucket is 200 with its region, or a bare 404", async (store) => {
  const found = await store.send("HEAD", "/box");
  assertEquals([found.status, found.headers.get("x-amz-bucket-region")], [200, "us-east-1"]);
  const missing = await store.send("HEAD", "/nothing");
  assertEquals([missing.status, await missing.text()], [404, ""]);
});

row("B7 an empty bucket is deleted with 204, its open uploads with it", async (store) => {
  const id = await begin(store, "/box/m");
  await store.text("DELETE", "/box", 204);
  assertEquals(await store.code("DELETE", "/box"), "404 NoSuchBucket");
  await store.text("PUT", "/box", 200);
  assertEquals(await store.code("GET", `/box/m?uploadId=${id}`), "404 NoSuchUpload");
});

row("B8 the location of a bucket without one is an empty element", async (store) => {
  assertMatch(
    await store.text("GET", "/box?location", 200),
    /<LocationConstraint xmlns="[^"]+">(<\/LocationConstraint>)$/,
  );
});

row("B9 versioning of a bucket is an empty configuration", async (store) => {
  assertMatch(
    await store.text("GET", "/box?versioning", 200),
    /<VersioningConfiguration xmlns="[^"]+"><\/VersioningConfiguration>$/,
  );
});

/** Keys, prefixes and the rest of one page. */
interface Page {
  readonly text: string;
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
  readonly truncated: boolean;
}

async function list(store: Store, query: Readonly<Record<string, string>>): Promise<Page> {
  const text = await store.text("GET", `/box?${new URLSearchParams(query)}`, 200);
  const folded = [...text.matchAll(/<CommonPrefixes><Prefix>(.*?)<\/Prefix>/g)];
  return {
    text,
    keys: pick(text, "Key"),
    prefixes: folded.map((match) => match[1]!),
    truncated: pick(text, "IsTruncated")[0] === "true",
  };
}

const V2 = { "list-type": "2" };

row("L1 keys are listed in the order of their bytes in UTF-8", async (store) => {
  const keys = ["a", "A", "b", "Ü", "ü", "\uffee", "𝄞", "~", " ", "a b", "a/", "a0", "Z"];
  await fill(store, keys);
  const bytes = (key: string) => new TextEncoder().encode(key).toHex();
  const sorted = keys.toSorted((a, b) => bytes(a) < bytes(b) ? -1 : 1);
  assertEquals((await list(store, V2)).keys, sorted);
  assertEquals((await list(store, {})).keys, sorted);
});

row(
  "L2 keys with the delimiter fold into one prefix, which counts once and stands on one page",
  async (store) => {
    await fill(store, ["a/1", "a/2", "b", "c/1", "c/2", "d"]);
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const after: Record<string, string> = token === undefined
        ? {}
        : { "continuation-token": token };
      const page = await list(store, { ...V2, delimiter: "/", "max-keys": "1", ...after });
      assertEquals(page.keys.length + page.prefixes.length, 1);
      seen.push(...page.keys, ...page.prefixes);
      token = pick(page.text, "NextContinuationToken")[0];
    } while (token !== undefined);
    assertEquals(seen, ["a/", "b", "c/", "d"]);
  },
);

row("L3 a delimiter is any text, and an empty one is none", async (store) => {
  await fill(store, ["a%b", "a%c", "a\x01b", "axxb", "axxc", "a/b"]);
  const folded = async (delimiter: string) => {
    const { keys, prefixes } = await list(store, { ...V2, delimiter, "encoding-type": "url" });
    return [...keys, ...prefixes].length;
  };
  assertEquals(
    [await folded("%"), await folded("\x01"), await folded("xx"), await folded("")],
    [5, 6, 5, 6],
  );
  assertEquals(pick((await list(store, { ...V2, delimiter: "" })).text, "Delimiter"), []);
});

row("L4 a prefix chooses keys, and the delimiter is looked for behind it", async (store) => {
  await fill(store, ["a/b/1", "a/b/2", "a/c", "ab", "b/x"]);
  const { keys, prefixes } = await list(store, { ...V2, prefix: "a/", delimiter: "/" });
  assertEquals([keys, prefixes], [["a/c"], ["a/b/"]]);
  assertEquals((await list(store, { prefix: "a" })).keys, ["a/b/1", "a/b/2", "a/c", "ab"]);
});

row("L5 both versions say what was asked, with the defaults", async (store) => {
  await fill(store, ["a"]);
  for (const version of [{}, V2]) {
    const { text } = await list(store, version);
    assertEquals([pick(text, "Name"), pick(text, "Prefix"), pick(text, "MaxKeys")], [
      ["box"],
      [""],
      ["1000"],
    ]);
    assertEquals([pick(text, "Delimiter"), pick(text, "EncodingType")], [[], []]);
    assertEquals([pick(text, "Size"), pick(text, "StorageClass")], [["1"], ["STANDARD"]]);
    assertEquals([pick(text, "LastModified").length, pick(text, "ETag").length], [1, 1]);
    const asked = await list(store, {
      ...version,
      delimiter: "/",
      "max-keys": "5000",
      prefix: "x",
    });
    assertEquals(pick(asked.text, "MaxKeys"), ["1000"]);
    assertEquals([pick(asked.text, "Delimiter"), pick(asked.text, "Prefix")], [["/"], ["x"]]);
  }
});

row("L6 max-keys of 0 lists nothing and is not truncated", async (store) => {
  await fill(store, ["a", "b/c"]);
  for (const version of [{}, V2]) {
    const page = await list(store, { ...version, "max-keys": "0", delimiter: "/" });
    assertEquals([page.keys, page.prefixes, page.truncated], [[], [], false]);
    assertEquals(pick(page.text, "MaxKeys"), ["0"]);
  }
});

row(
  "L7 encoding-type=url encodes keys and prefixes, but not the Prefix of version 1",
  async (store) => {
    await fill(store, ["ü +/a", "ü +/b", "~*'()!", "x\x01"]);
    const url = { "encoding-type": "url" };
    const v2 = await list(store, { ...V2, ...url });
    assertEquals(v2.keys, ["x%01", "~*%27%28%29%21", "%C3%BC%20%2B/a", "%C3%BC%20%2B/b"]);
    assertEquals(pick(v2.text, "EncodingType"), ["url"]);
    const folded = await list(store, {
      ...V2,
      ...url,
      delimiter: "+/",
      prefix: "ü ",
      "start-after": "ü",
    });
    assertEquals(folded.prefixes, ["%C3%BC%20%2B/"]);
    assertEquals(pick(folded.text, "Delimiter"), ["%2B/"]);
    assertEquals(pick(folded.text, "Prefix")[0], "%C3%BC%20");
    assertEquals(pick(folded.text, "StartAfter"), ["%C3%BC"]);
    const v1 = await list(store, {
      ...url,
      delimiter: "/",
      "max-keys": "1",
      marker: "y",
      prefix: "",
    });
    assertEquals([pick(v1.text, "Marker"), v1.keys], [["y"], ["~*%27%28%29%21"]]);
    const next = await list(store, {
      ...url,
      delimiter: "/",
      "max-keys": "1",
      marker: "~~",
      prefix: "ü ",
    });
    assertEquals([next.prefixes, pick(next.text, "Prefix")[0]], [["%C3%BC%20%2B/"], "ü "]);
  },
);

row(
  "L8 version 1 goes on strictly after the marker, and behind a prefix that is one",
  async (store) => {
    await fill(store, ["a", "b/1", "b/2", "c"]);
    const after = async (marker: string, delimiter = "/") => {
      const { keys, prefixes } = await list(store, { marker, delimiter });
      return [...keys, ...prefixes];
    };
    assertEquals(await after("a"), ["c", "b/"]);
    assertEquals(await after("b/"), ["c"]);
    assertEquals(await after("b/1"), ["c", "b/"]);
    assertEquals(await after("b/", ""), ["b/1", "b/2", "c"]);
    assertEquals(await after("nothing like it"), []);
  },
);

row(
  "L9 version 1 tells the marker always, and the next one of a truncated page with a delimiter",
  async (store) => {
    await fill(store, ["a", "b/1", "c"]);
    const rows: readonly (readonly [Record<string, string>, readonly string[]])[] = [
      [{ "max-keys": "2", delimiter: "/" }, ["b/"]],
      [{ "max-keys": "1", delimiter: "/" }, ["a"]],
      [{ "max-keys": "2" }, []],
      [{ delimiter: "/" }, []],
    ];
    for (const [query, next] of rows) {
      const { text } = await list(store, query);
      assertEquals([pick(text, "Marker"), pick(text, "NextMarker")], [[""], next]);
    }
    assertEquals(pick((await list(store, { marker: "a" })).text, "Marker"), ["a"]);
  },
);

row(
  "L10 version 2 goes on strictly after start-after, or by its token, which wins",
  async (store) => {
    await fill(store, ["a", "b", "c", "d"]);
    assertEquals((await list(store, { ...V2, "start-after": "b" })).keys, ["c", "d"]);
    const first = await list(store, { ...V2, "max-keys": "1", "start-after": "a" });
    const token = pick(first.text, "NextContinuationToken")[0]!;
    const second = await list(store, { ...V2, "continuation-token": token, "start-after": "c" });
    assertEquals(second.keys, ["c", "d"]);
    assertEquals(pick(second.text, "NextContinuationToken"), []);
    // Tokens still work after their key was deleted.
    await store.text("DELETE", "/box/b", 204);
    assertEquals((await list(store, { ...V2, "continuation-token": token })).keys, ["c", "d"]);
    assertEquals(
      await store.code("GET", "/box?list-type=2&continuation-token=%25"),
      "400 InvalidArgument",
    );
  },
);

row("L11 version 2 tells start-after and token exactly as sent, also when empty", async (store) => {
  await fill(store, ["a"]);
  const { text } = await list(store, V2);
  assertEquals([pick(text, "StartAfter"), pick(text, "ContinuationToken")], [[], []]);
  const empty = await list(store, { ...V2, "start-after": "", "continuation-token": "" });
  assertEquals([pick(empty.text, "StartAfter"), pick(empty.text, "ContinuationToken")], [[""], [
    "",
  ]]);
});

row("L12 version 2 counts keys and prefixes", async (store) => {
  await fill(store, ["a", "b/1", "b/2", "c"]);
  const counts = async (query: Record<string, string>) =>
    pick((await list(store, { ...V2, ...query })).text, "KeyCount");
  assertEquals(await counts({}), ["4"]);
  assertEquals(await counts({ delimiter: "/" }), ["3"]);
  assertEquals(await counts({ "max-keys": "0" }), ["0"]);
  assertEquals(pick((await list(store, {})).text, "KeyCount"), []);
});

row("L13 owners stand in version 1 always, in version 2 when asked for", async (store) => {
  await fill(store, ["a"]);
  assertEquals(pick((await list(store, {})).text, "DisplayName").length, 1);
  assertEquals(pick((await list(store, V2)).text, "DisplayName"), []);
  const asked = await list(store, { ...V2, "fetch-owner": "true" });
  assertStringIncludes(asked.text, "<Owner><ID>");
  assertEquals(pick((await list(store, { ...V2, "fetch-owner": "false" })).text, "ID"), []);
});

row("L14 text of keys is escaped, control characters as references", async (store) => {
  await fill(store, ["<&>\"'", "a\rb"]);
  const { text } = await list(store, V2);
  assertStringIncludes(text, "<Key>&lt;&amp;&gt;&quot;'</Key>");
  assertStringIncludes(text, "<Key>a&#xD;b</Key>");
});
