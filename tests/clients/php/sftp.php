<?php
// Stores, renames, changes and reads a file with phpseclib 2, which has no Ed25519; prints what it saw as JSON.
// sftp.php HOST PORT
require '/usr/share/php/phpseclib/autoload.php';

use phpseclib\Net\SFTP;

[, $host, $port] = $argv;
$bytes = str_repeat('0123456789abcdef', 20_000);
$sftp = new SFTP($host, (int) $port, 10);
$seen = ['login' => $sftp->login('ada', 'x')];
$seen['host_key'] = explode(' ', $sftp->getServerPublicHostKey())[0];
$seen['put'] = $sftp->put('/part', $bytes);
$sftp->mkdir('/php');
$seen['rename'] = $sftp->rename('/part', '/php/done');
$seen['same'] = $sftp->get('/php/done') === $bytes;
$seen['list'] = $sftp->nlist('/php');
$seen['truncate'] = [$sftp->truncate('/php/done', 10), $sftp->size('/php/done')];
echo json_encode($seen);
