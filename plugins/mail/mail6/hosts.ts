import { regionalHosts } from "../../../core/http/aws.ts";

/** Hosts of Amazon SES: https://docs.aws.amazon.com/general/latest/gr/ses.html */
export const HOSTS: readonly string[] = regionalHosts("email");
