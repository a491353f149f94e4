<?php
// Sends mail with a bridge of Symfony Mailer: mailers.php VENDOR HOST PORT CA_FILE. What is set up here is only where the
// vendor is: the transports speak https alone.
require '/usr/share/php/Symfony/Component/HttpClient/autoload.php';
require '/usr/share/php/Symfony/Component/Mailer/autoload.php';
foreach (['Amazon', 'Mailgun', 'Postmark', 'Sendinblue'] as $bridge) {
    require "/usr/share/php/Symfony/Component/Mailer/Bridge/$bridge/autoload.php";
}

use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\Mailer\Bridge\Amazon\Transport\SesHttpTransport;
use Symfony\Component\Mailer\Bridge\Mailgun\Transport\MailgunApiTransport;
use Symfony\Component\Mailer\Bridge\Mailgun\Transport\MailgunHttpTransport;
use Symfony\Component\Mailer\Bridge\Postmark\Transport\PostmarkApiTransport;
use Symfony\Component\Mailer\Bridge\Sendinblue\Transport\SendinblueApiTransport;
use Symfony\Component\Mime\Address;
use Symfony\Component\Mime\Email;

[, $vendor, $host, $port, $ca] = $argv;
$client = HttpClient::create(['cafile' => $ca, 'no_proxy' => '*']);
$transport = match ($vendor) {
    'postmark' => new PostmarkApiTransport('any', $client),
    'mailgun' => new MailgunApiTransport('any', 'mg.example.com', null, $client),
    'mailgun+mime' => new MailgunHttpTransport('any', 'mg.example.com', null, $client),
    'ses+raw' => new SesHttpTransport('any', 'any', 'eu-west-1', $client),
    'brevo' => new SendinblueApiTransport('any', $client),
};
$transport->setHost($host)->setPort((int) $port);
$email = (new Email())->from(new Address('s@example.com', 'Sender, Inc'))->to(new Address('a@example.com', 'Ann'))
    ->cc('c@example.com')->bcc('d@example.com')->replyTo('r@example.com')->subject('Grüße')
    ->text('text')->html('<b>html</b>')->attach('hello', 'a.txt', 'text/plain');
$sent = $transport->send($email);
try {
    $transport->send((new Email())->from('s@example.com')->to('nobody@localhost')->subject('x')->text('x'));
    $refusal = null;
} catch (Throwable $error) {
    $refusal = $error->getMessage();
}
echo json_encode(['id' => $sent->getMessageId(), 'refusal' => $refusal]);
