import type { CheckTopic } from "../../../core/plugin.ts";
import type { MailSubject } from "./subject.ts";

/** Points from which a single rule is reported: a fifth of the usual spam threshold. */
const MUCH = 1;

/** SpamAssassin's report on an email, if `[plugins.mail] spamassassin` is set. */
export const spamTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.spam",
      level: "error",
      about: "SpamAssassin classifies the email as spam; only with the setting `spamassassin`",
      source: "https://spamassassin.apache.org",
    },
    {
      id: "mail.spam_rule",
      level: "info",
      about:
        "A rule of SpamAssassin adds to the score of the email: a warning from one point up, " +
        "otherwise a note; only with the setting `spamassassin`",
      source: "https://spamassassin.apache.org",
    },
    {
      id: "mail.spam_unknown",
      level: "info",
      about:
        "SpamAssassin was not queried, or did not answer; only with the setting `spamassassin`",
      source: "https://svn.apache.org/repos/asf/spamassassin/trunk/spamd/PROTOCOL",
    },
  ],
  *find({ spam }) {
    if (spam === undefined) return;
    if (!("report" in spam)) {
      const message = "unasked" in spam
        ? `SpamAssassin was not queried: ${spam.unasked}`
        : `SpamAssassin did not answer: ${spam.failure}`;
      yield { id: "mail.spam_unknown", message };
      return;
    }
    const { isSpam, points, required, rules } = spam.report;
    if (isSpam) {
      yield {
        id: "mail.spam",
        message: `SpamAssassin gives ${points} points; from ${required} up, an email is spam`,
      };
    }
    for (const rule of rules.toSorted((a, b) => b.points - a.points)) {
      if (rule.points <= 0) continue;
      yield {
        id: "mail.spam_rule",
        level: rule.points >= MUCH ? "warning" : "info",
        message: `${rule.name}: ${rule.points} points. ${rule.about}`,
      };
    }
  },
};
