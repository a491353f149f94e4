/**
 * Every decoder of bytes or text from a peer, with seed inputs. `deno task fuzz` mutates them at
 * random; the ordinary test run repeats past failures.
 *
 * @module
 */
import { assert } from "@std/assert";
import { ByteReader } from "../../core/bytes/reader.ts";
import { runToEnd } from "../../core/bytes/steps.ts";
import { isText } from "../../core/bytes/text.ts";
import { FrameReader } from "../../core/client/frames.ts";
import { readClientHello } from "../../core/codec/client_hello.ts";
import { decodeForm } from "../../core/codec/form.ts";
import { clientHello } from "./client_hello.ts";
import { CHECK_TARGETS } from "./fuzz_check_targets.ts";
import { ENGINE_TARGETS } from "./fuzz_engine_targets.ts";
import { MESSAGE_TARGETS } from "./fuzz_message_targets.ts";
import { PROVIDER_TARGETS } from "./fuzz_provider_targets.ts";
import { HpackDecoder } from "../../core/codec/hpack/hpack.ts";
import { decodeHuffman } from "../../core/codec/hpack/huffman.ts";
import { HttpOpening } from "../../core/codec/http_opening.ts";
import { decodeJson } from "../../core/codec/json_lenient.ts";
import { elementSpans, memberSpans, scanJson } from "../../core/codec/json_span.ts";
import { readMailboxes } from "../../core/codec/mime/address.ts";
import { decodeCharset, decodeUndeclared } from "../../core/codec/mime/charset.ts";
import { parseEntity } from "../../core/codec/mime/entity.ts";
import { decodeFlowed } from "../../core/codec/mime/flowed.ts";
import { decodeFieldText, readHeaderBlock } from "../../core/codec/mime/header.ts";
import { decodeMessage } from "../../core/codec/mime/message.ts";
import { parseParameterized } from "../../core/codec/mime/parameters.ts";
import { decodeTransfer } from "../../core/codec/mime/transfer.ts";
import { Warnings } from "../../core/codec/mime/warnings.ts";
import { extractTexts } from "../../core/extract/extract.ts";
import { ChunkedDecoder } from "../../core/http/server/http1/chunked.ts";
import { classify } from "../../core/http/server/classify.ts";
import { FrameGauge } from "../../core/http/server/http2/frames.ts";
import { HeadReader, readHead } from "../../core/http/server/http1/head.ts";
import { SchemeFixer } from "../../core/http/server/http2/scheme.ts";
import { parseRange } from "../../core/http/range.ts";
import { headerKeys } from "../../core/stories/key.ts";
import {
  readAs2Name,
  readOctetText,
  readReceiptRequest,
} from "../../plugins/as2/codec/as2_header.ts";
import { readBer } from "../../plugins/as2/codec/asn1.ts";
import { readCms } from "../../plugins/as2/codec/cms.ts";
import { parseExtendedPort, parsePort } from "../../plugins/files/ftp/codec/address.ts";
import { decodeCommand, isAbort } from "../../plugins/files/ftp/codec/command.ts";
import { parseFacts, parseTime } from "../../plugins/files/ftp/codec/listing.ts";
import { readDirOp, readSettings, readTime } from "../../plugins/files/nfs/codec/nfs3.ts";
import { RecordDecoder } from "../../plugins/files/nfs/codec/record.ts";
import { decodeCall } from "../../plugins/files/nfs/codec/rpc.ts";
import { XdrReader } from "../../plugins/files/nfs/codec/xdr.ts";
import { readAttrs } from "../../plugins/files/sftp/codec/attrs.ts";
import { decodeRequest, PacketDecoder } from "../../plugins/files/sftp/codec/packet.ts";
import { NetasciiDecoder } from "../../plugins/files/tftp/codec/netascii.ts";
import { decodePacket } from "../../plugins/files/tftp/codec/packet.ts";
import { decodeText } from "../../plugins/hl7/codec/charset.ts";
import { unescapeText } from "../../plugins/hl7/codec/escape.ts";
import { readFrameContent } from "../../plugins/hl7/codec/frame_content.ts";
import { readHeaderLine } from "../../plugins/hl7/codec/header.ts";
import { parsePath, valuesAt } from "../../plugins/hl7/codec/path.ts";
import { parseSegments, segmentTexts } from "../../plugins/hl7/codec/segment.ts";
import { readSeparators } from "../../plugins/hl7/codec/separators.ts";
import { FrameDecoder } from "../../plugins/hl7/mllp/codec/frame.ts";
import { toInertHtml } from "../../plugins/mail/inert_html.ts";
import * as smtpCommand from "../../plugins/mail/smtp/codec/command.ts";
import { DataDecoder } from "../../plugins/mail/smtp/codec/data.ts";
import { readPath } from "../../plugins/mail/smtp/codec/path.ts";
import { decodePlain, decodeResponse } from "../../plugins/mail/smtp/codec/sasl.ts";
import { AwsChunkedDecoder } from "../../plugins/s3/codec/aws_chunked.ts";
import { matchesTag } from "../../plugins/s3/codec/conditions.ts";
import { FormReader } from "../../plugins/s3/codec/form_reader.ts";
import { isBucketName } from "../../plugins/s3/codec/names.ts";
import { parsePolicy } from "../../plugins/s3/codec/post_policy.ts";
import { readSigner } from "../../plugins/s3/codec/signature.ts";
import { readCopySource, readTarget } from "../../plugins/s3/codec/target.ts";
import { readXml } from "../../plugins/s3/codec/xml_reader.ts";
import { BerReader } from "../../plugins/snmp/trap/codec/ber.ts";
import { decodeNotification } from "../../plugins/snmp/trap/codec/message.ts";
import { decodeText as decodeTrapText } from "../../plugins/snmp/trap/codec/text.ts";
import { readVarbinds } from "../../plugins/snmp/trap/codec/varbind.ts";
import { HL7, JSON_BODY, MAIL } from "./fuzz_seeds.ts";
import { asLatin1, asUtf8, each, halves, hex, octets, texts } from "./fuzz_bytes.ts";

/** One decoder. */
export interface FuzzTarget {
  /** Name of the folder of its failures. */
  readonly name: string;
  /** Inputs to start from. */
  readonly seeds: readonly Uint8Array[];
  /** Reads any bytes. May throw `WireError`; any other error is a bug. */
  run(bytes: Uint8Array): void;
}

const CMS = "308006092a864886f70d010702a0803080020101310f300d06096086480165030402010500" +
  "308006092a864886f70d010701a080248004036162630000000000003100000000000000";
const TRAP = "303902010104067075626c6963a72c020101020100020100302130" +
  "0e06082b06010201010300430204d2300f060a2b060106030101040100060101";
const RPC = `\0\0\0\x01\0\0\0\0\0\0\0\x02\0\x01\x86\xa3\0\0\0\x03\0\0\0\x03` +
  `\0\0\0\x01\0\0\0\x14\0\0\0\0\0\0\0\x01a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04abcd`;

/** Parses JSON with the platform; returns nothing for invalid JSON. */
function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By name. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...CHECK_TARGETS,
  ...MESSAGE_TARGETS,
  ...PROVIDER_TARGETS,
  ...ENGINE_TARGETS,
  {
    name: "json",
    seeds: texts(JSON_BODY, `\ufeff${JSON_BODY}`, "[[[[]]]]", '"\ud83d\ude00"'),
    run(bytes) {
      decodeJson(bytes);
      const whole = asUtf8(bytes).replace(/^\ufeff/, "");
      const parsed = parsedOrNothing(whole);
      if (parsed === undefined) return;
      const span = scanJson(whole);
      const members = memberSpans(whole, span).size;
      const elements = elementSpans(whole, span).length;
      const expected = Array.isArray(parsed) ? parsed.length : 0;
      if (elements !== expected) throw new Error(`${elements} elements, not ${expected}`);
      const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
      const names = isObject ? Object.keys(parsed).length : 0;
      if (members !== names) throw new Error(`${members} members, not ${names}`);
    },
  },
  {
    name: "form",
    seeds: texts("To=%2B15005550006&Body=Hello+%F0%9F%98%80&MediaUrl=a&MediaUrl=b", "?a&&=b&c=%"),
    run: (bytes) => void decodeForm(bytes),
  },
  {
    name: "hpack",
    seeds: hex(
      "828684418cf1e3c2e5f23a6ba0ab90f4ff",
      "400a637573746f6d2d6b65790d637573746f6d2d686561646572",
      "3fe11f82be",
    ),
    run(bytes) {
      each(() => decodeHuffman(bytes));
      const decoder = new HpackDecoder({ maxBytes: 16_384 });
      for (const half of halves(bytes)) decoder.decode(half);
    },
  },
  {
    name: "mime",
    seeds: octets(MAIL, MAIL.replaceAll("\r\n", "\n"), "Subject: x\r\n\r\n"),
    run(bytes) {
      runToEnd(decodeMessage(bytes));
      runToEnd(parseEntity(bytes, new Warnings()));
      const warnings = new Warnings();
      runToEnd(readMailboxes(readHeaderBlock(bytes, warnings), "to", warnings));
    },
  },
  {
    name: "mime-parts",
    seeds: octets(
      "=?utf-8?Q?a=C3=BC?= =?iso-8859-1?B?QQ==?= (c (d)) <a@b>",
      'text/plain; charset*=utf-8\'\'a%20b; x="\\""; n*0=a; n*1*=%20',
      "QUJD\r\nRA==",
      "a=20b=\r\nc=4",
      "> > x \r\n-- \r\ny",
    ),
    run(bytes) {
      const text = asLatin1(bytes);
      const warnings = new Warnings();
      decodeFieldText(text, warnings);
      parseParameterized(text, warnings);
      decodeFlowed(text, { delSp: bytes.length % 2 === 0 });
      decodeUndeclared(bytes, warnings);
      runToEnd(decodeCharset(bytes, text.slice(0, 12), warnings));
      for (const encoding of ["base64", "quoted-printable", "8bit", "x-uuencode"]) {
        runToEnd(decodeTransfer(bytes, encoding, warnings));
      }
    },
  },
  {
    name: "smtp",
    seeds: octets(
      "MAIL FROM:<a@example.com> SIZE=1000 BODY=8BITMIME\r\n",
      'RCPT TO:<@a,@b:"x y"@[IPv6:::1]> NOTIFY=NEVER\r\n',
      "BDAT 1000 LAST\r\n",
      "AUTH PLAIN AGEAYg==\r\n",
    ),
    run(bytes) {
      const { argument } = smtpCommand.decodeCommand(bytes);
      each(
        () => smtpCommand.parseMail(argument),
        () => smtpCommand.parseRcpt(argument),
        () => smtpCommand.parseBdat(argument),
        () => readPath(argument, "forward"),
        () => decodeResponse(argument),
        () => decodePlain(bytes),
      );
    },
  },
  {
    name: "smtp-data",
    seeds: octets("a\r\n..b\r\n.\r\n", ".\r\n", "\r\n.\r.\n\r\n.\r\nQUIT\r\n"),
    run(bytes) {
      const read = (chunks: readonly Uint8Array[]): string => {
        const decoder = new DataDecoder();
        let text = "";
        for (const chunk of chunks) {
          const end = decoder.push(chunk, { add: (part) => void (text += asLatin1(part)) });
          if (end !== undefined) return `${text} end`;
        }
        return `${text} open`;
      };
      const [whole, cut] = [read([bytes]), read(halves(bytes))];
      // A line without its end is not returned yet, whole or cut.
      if (whole !== cut) throw new Error(`Cut in two it reads "${cut}", not "${whole}"`);
    },
  },
  {
    name: "http-head",
    seeds: octets(
      "POST /a?b=c HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: 3\r\nX: a, b",
      "GET http://h/x HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: close",
    ),
    run(bytes) {
      const text = asLatin1(bytes);
      readHead(text);
      const heads = new HeadReader(1000);
      heads.find(bytes.subarray(heads.blank(bytes)));
      classify(bytes);
      parseRange(text, 1000);
    },
  },
  {
    name: "client-hello",
    seeds: [
      clientHello({ serverName: "api.example.com" }),
      clientHello({ serverName: "a.b", recordBytes: 9 }),
    ],
    run: (bytes) => void readClientHello(bytes),
  },
  {
    name: "story-keys",
    seeds: octets(
      "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\nX-Request-ID: 1",
      "traceparent: cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    ),
    run(bytes) {
      const pairs = new TextDecoder().decode(bytes).split("\n").map((line) => {
        const [name = "", ...value] = line.split(":");
        return [name, value.join(":")] as const;
      });
      for (const { kind, value } of headerKeys(pairs)) {
        assert(value.trim() !== "");
        assert(kind !== "trace" || /^[0-9a-f]{32}$/.test(value));
      }
    },
  },
  {
    name: "http-body",
    seeds: octets("3\r\nabc\r\n0\r\n\r\n", "A;x=y\r\n0123456789\r\n0\r\nT: v\r\n\r\n"),
    run(bytes) {
      const decoder = new ChunkedDecoder();
      const into = new Uint8Array(7);
      for (const half of halves(bytes)) {
        for (let at = 0; at < half.length && !decoder.done;) {
          at += decoder.decode(half.subarray(at), into);
        }
      }
    },
  },
  {
    name: "http2-scheme",
    seeds: octets(
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x06\x01\x05\0\0\0\x01\x82\x87\x84\x41\x01a`,
    ),
    run(bytes) {
      const fixer = new SchemeFixer();
      const gauge = new FrameGauge();
      for (const half of halves(bytes)) {
        gauge.push(half);
        fixer.push(half);
      }
    },
  },
  {
    name: "sse",
    seeds: texts("id: 1\nevent: a\ndata: x\ndata: y\n\n: c\r\n\r\ndata\r\rretry: 1\n\n"),
    run(bytes) {
      const reader = new FrameReader();
      for (const half of halves(bytes)) reader.push(asUtf8(half));
    },
  },
  {
    name: "extract",
    seeds: texts(
      'Your code is 482 913. <a href="https://example.com/reset?token=abc123">Reset</a>',
      "<p>Code:</p><b>4711</b> https://x.y/a?b=c#d) (G-123456)",
    ),
    run(bytes) {
      const text = asUtf8(bytes);
      const { codes, links, tokens } = extractTexts([
        { kind: "html", text },
        { kind: "plain", text },
      ]);
      assert(codes.length <= 20 && links.length <= 200 && tokens.length <= 100);
      isText(bytes);
    },
  },
  {
    name: "as2-cms",
    seeds: hex(CMS, "300a06092a864886f70d0107", "300c310a300806035504030c0178"),
    run: (bytes) => each(() => readBer(bytes), () => readCms(bytes)),
  },
  {
    name: "as2-header",
    seeds: texts(
      "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, sha-256, md5",
      '"a \\" b"',
    ),
    run(bytes) {
      const text = asLatin1(bytes);
      readAs2Name(text);
      readOctetText(text);
      readReceiptRequest({ get: () => text });
    },
  },
  {
    name: "ftp",
    seeds: octets(
      "PORT 127,0,0,1,4,5\r\n",
      "EPRT |2|::1|5282|\r\n",
      "MFMT 20260101120000.5 a b\r\n",
      "\xff\xf4\xff\xf2ABOR\r\n",
      "OPTS MLST type;size;\r\n",
    ),
    run(bytes) {
      isAbort(bytes);
      const { argument } = decodeCommand(bytes);
      parsePort(argument);
      parseExtendedPort(argument);
      parseFacts(argument);
      parseTime(argument);
    },
  },
  {
    name: "sftp",
    seeds: octets(
      "\0\0\0\x05\x01\0\0\0\x03",
      "\0\0\0\x15\x03\0\0\0\x01\0\0\0\x02/a\0\0\0\x1a\0\0\0\x04\0\0\x01\xa4",
      "\0\0\0\x17\xc8\0\0\0\x02\0\0\0\x0eposix-rename@o",
    ),
    run(bytes) {
      const decoder = new PacketDecoder();
      for (const half of halves(bytes)) {
        for (const packet of decoder.push(half)) each(() => decodeRequest(packet.slice()));
      }
      each(() => readAttrs(new ByteReader(bytes)), () => decodeRequest(bytes), () => decoder.end());
    },
  },
  {
    name: "tftp",
    seeds: octets(
      "\0\x02a.cfg\0octet\0tsize\x001\0blksize\x00512\0",
      "\0\x03\0\x01abc",
      "\0\x05\0\x01x\0",
    ),
    run(bytes) {
      const decoder = new NetasciiDecoder();
      for (const half of halves(bytes)) decoder.push(half);
      decoder.end();
      decodePacket(bytes);
    },
  },
  {
    name: "nfs",
    seeds: octets(RPC, `\x80\0\0\x28${RPC}`),
    run(bytes) {
      each(
        () => decodeCall(bytes),
        () => readTime(new XdrReader(bytes)),
        () => readSettings(new XdrReader(bytes)),
        () => readDirOp(new XdrReader(bytes)),
      );
      const decoder = new RecordDecoder({ maxBytes: 10_000 });
      for (const half of halves(bytes)) {
        for (const record of decoder.push(half)) each(() => decodeCall(record));
      }
    },
  },
  {
    name: "s3",
    seeds: octets(
      "5;chunk-signature=abc\r\nhello\r\n0\r\nx-amz-checksum-crc32:a\r\n\r\n",
      "/box/a%20b/../c?versionId=1",
      "AWS4-HMAC-SHA256 Credential=a/20260101/eu/s3/aws4_request, SignedHeaders=host",
      'W/"abc", *',
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nHello\r\n--x--\r\n',
    ),
    run(bytes) {
      const text = asLatin1(bytes);
      readTarget(text);
      readCopySource(text);
      readSigner(text, new URLSearchParams(text));
      matchesTag(text, "abc");
      isBucketName(text, 63);
      const form = new FormReader("x");
      each(() => parsePolicy(text), ...halves(bytes).map((half) => () => form.push(half)));
      const decoder = new AwsChunkedDecoder();
      for (const half of halves(bytes)) decoder.push(half);
    },
  },
  {
    name: "s3-xml",
    seeds: texts(
      '<?xml version="1.0"?><Delete xmlns="x"><Object><Key>a&amp;b</Key></Object></Delete>',
      "<a><![CDATA[x]]><!-- c --><b c='d'/></a>",
    ),
    run: (bytes) => void readXml(asUtf8(bytes)),
  },
  {
    name: "hl7",
    seeds: octets(HL7, `FHS|^~\\&\rBHS|^~\\&\r${HL7}BTS|1\rFTS|1\r`),
    run(bytes) {
      readFrameContent(bytes);
      const { text } = decodeText(bytes, "8859/1");
      readHeaderLine(text);
      const read = readSeparators(text);
      if (read !== undefined) {
        const { separators } = read;
        unescapeText(text, separators);
        parseSegments(text, separators);
        const path = parsePath("PID-3.1")!;
        valuesAt(segmentTexts(text, separators, "PID"), path, separators).toArray();
      }
      parsePath(text.slice(0, 40));
    },
  },
  {
    name: "inert_html",
    seeds: texts(
      "<!doctype html><p a=b c='d'>x&lt;<link rel=preconnect href=//a><style>a{}<!--</style>",
      "<svg><style><b></style><a href=x>y</a><![CDATA[x]]><title>&#60;</title><xmp><a></xmp>",
    ),
    run(bytes) {
      const once = runToEnd(toInertHtml(asUtf8(bytes), "inert"));
      if (runToEnd(toInertHtml(once, "inert")) !== once) {
        throw new Error("Wrote what it would write anew");
      }
    },
  },
  {
    name: "http_opening",
    seeds: octets("GET / HTTP/1.1\r\nHost: a\r\n", "\r\nPRI * HTTP/2.0\r\n", "EHLO a\r\n"),
    run(bytes) {
      const whole = new HttpOpening().push(bytes);
      const cut = new HttpOpening();
      for (const half of halves(bytes)) cut.push(half);
      if (cut.opening !== whole) throw new Error(`Read ${cut.opening} in two chunks`);
    },
  },
  {
    name: "mllp",
    seeds: octets(`\x0b${HL7}\x1c\r`, "x\x0ba\x0bb\x1c\x1c\r\x0b"),
    run(bytes) {
      const decoder = new FrameDecoder({ maxBytes: 5000 });
      for (const half of halves(bytes)) for (const _frame of decoder.push(half));
      decoder.end();
      decoder.takeStray();
    },
  },
  {
    name: "snmp",
    seeds: hex(TRAP, "3003020100", "04820001ff"),
    run(bytes) {
      each(
        () => decodeNotification(bytes),
        () => readVarbinds(new BerReader(bytes)),
        () => decodeTrapText(bytes),
      );
    },
  },
];
