"""Works of files_bench.ts over FTP: host port folder file count, then up, down, many-up or many-down.

Prints the milliseconds that it took.
"""

import ftplib
import io
import sys
import time

host, port, folder, path, count, work = sys.argv[1:]
with open(path, "rb") as file:
    large = file.read()
small = large[:1024]
ftp = ftplib.FTP()
ftp.connect(host, int(port))
ftp.login("anonymous", "x")
ftp.cwd(folder)
begun = time.perf_counter()
if work == "up":
    ftp.storbinary("STOR large", io.BytesIO(large), 65536)
elif work == "down":
    ftp.retrbinary("RETR large", lambda data: None, 65536)
elif work == "many-up":
    for i in range(int(count)):
        ftp.storbinary(f"STOR {i}", io.BytesIO(small))
elif work == "many-down":
    for i in range(int(count)):
        ftp.retrbinary(f"RETR {i}", lambda data: None)
print((time.perf_counter() - begun) * 1000)
ftp.quit()
