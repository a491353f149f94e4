<?php
// Posts to an incoming webhook with the notifier of Symfony: teams.php HOST PORT PATH CA_FILE. What is set up here is
// only where the vendor is: its transport speaks https alone.
require '/usr/share/php/Symfony/Component/HttpClient/autoload.php';
require '/usr/share/php/Symfony/Component/Notifier/autoload.php';
require '/usr/share/php/Symfony/Component/Notifier/Bridge/MicrosoftTeams/autoload.php';

use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\Notifier\Bridge\MicrosoftTeams\MicrosoftTeamsOptions;
use Symfony\Component\Notifier\Bridge\MicrosoftTeams\MicrosoftTeamsTransport;
use Symfony\Component\Notifier\Message\ChatMessage;

[, $host, $port, $path, $ca] = $argv;
$client = HttpClient::create(['cafile' => $ca, 'no_proxy' => '*']);
$transport = (new MicrosoftTeamsTransport($path, $client))->setHost($host)->setPort((int) $port);
$sent = $transport->send(new ChatMessage('Deployed 1.2'));
$card = $transport->send((new ChatMessage('A card'))->options(
    (new MicrosoftTeamsOptions())->title('Build')->text('Green')->themeColor('#00ff00')
));
try {
    $lost = (new MicrosoftTeamsTransport('/webhookb2/nobody/IncomingWebhook/3/4', $client))->setHost($host);
    $lost->setPort((int) $port)->send(new ChatMessage('To nobody'));
    $refusal = null;
} catch (Throwable $error) {
    $refusal = $error->getMessage();
}
echo json_encode(['ids' => [$sent->getMessageId(), $card->getMessageId()], 'refusal' => $refusal]);
