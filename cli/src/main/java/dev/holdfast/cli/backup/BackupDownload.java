package dev.holdfast.cli.backup;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.client.ServerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** A backup that a server writes, taken as it comes. */
record BackupDownload(ServerConfig servers) {
    private static final String PATH = "/admin/backup";
    /** Until it begins: a server that is asked for two at a time lets one wait, or refuses it. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    void writeTo(OutputStream out) throws IOException, InterruptedException {
        new ServerCalls(servers, PATIENCE).download(PATH, out);
    }
}
