/** Stands for the code under test: sends one mail, and returns the status of the answer. */
export async function send(url, { to, subject, key = "re_any", headers = {} }) {
  const answer = await fetch(`${url}/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({
      from: "shop@example.com",
      to,
      subject,
      text: "Your code is 493201.",
    }),
  });
  await answer.text();
  return answer.status;
}
