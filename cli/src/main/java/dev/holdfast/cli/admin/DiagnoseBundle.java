package dev.holdfast.cli.admin;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.spi.PrivateFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The answers of a server to everything it tells about itself, each asked for by itself: one that fails does not keep the others out. */
final class DiagnoseBundle {
    /** Each file of the bundle, and where it comes from. */
    private static final Map<String, String> PARTS = parts();

    /** Answers in which the status says something, too. */
    private static final String HEALTH = "health.json";

    private final URI server;
    private final Instant at;
    private final Map<String, String> contents = new LinkedHashMap<>();
    private final List<Missing> missing = new ArrayList<>();
    private boolean answered;
    private boolean refused;
    private boolean untrusted;

    /** A part that could not be had, and why in a few words. */
    record Missing(String name, String why) {}

    private DiagnoseBundle(URI server, Instant at) {
        this.server = server;
        this.at = at;
    }

    private static Map<String, String> parts() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("server.json", "/v2/server");
        parts.put(HEALTH, "/health/ready");
        parts.put("settings.json", "/v2/settings");
        parts.put("store.json", "/admin/store");
        parts.put("load.json", "/admin/load");
        parts.put("log-level.json", "/admin/log-level");
        parts.put("log.txt", "/admin/log");
        parts.put("threads.txt", "/admin/threads");
        parts.put("metrics.txt", "/metrics");
        return parts;
    }

    static DiagnoseBundle of(ServerCalls calls, URI server, Instant at) throws InterruptedException {
        DiagnoseBundle bundle = new DiagnoseBundle(server, at);
        for (Map.Entry<String, String> part : PARTS.entrySet()) {
            bundle.ask(calls, part.getKey(), part.getValue());
            if (!bundle.answered) {
                break; // nobody is there: the others would only take as long
            }
        }
        return bundle;
    }

    private void ask(ServerCalls calls, String name, String path) throws InterruptedException {
        try {
            HttpResponse<String> answer = calls.ask(server, "GET", path, Optional.empty());
            answered = true;
            int status = answer.statusCode();
            if (status == 200 || (name.equals(HEALTH) && status == 503)) {
                contents.put(name, answer.body());
                return;
            }
            refused |= Set.of(401, 403).contains(status);
            String why = ServerCalls.field(answer, "detail").orElse("the server answered " + status);
            missing.add(new Missing(name, why));
        } catch (IOException e) {
            untrusted |= ServerCalls.isUntrusted(e);
            missing.add(new Missing(name, DiagnoseCommand.why(e)));
        }
    }

    boolean isUnreachable() {
        return !answered;
    }

    boolean isUntrusted() {
        return !answered && untrusted;
    }

    /** Whether nothing could be had but what everybody may see. */
    boolean isRefused() {
        return refused && contents.keySet().stream().allMatch(Set.of(HEALTH, "metrics.txt", "server.json")::contains);
    }

    List<Missing> missing() {
        return List.copyOf(missing);
    }

    int size() {
        return contents.size();
    }

    void write(Path file) throws IOException {
        try (OutputStream out = Channels.newOutputStream(
                        PrivateFiles.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            add(zip, "manifest.txt", manifest());
            for (Map.Entry<String, String> part : contents.entrySet()) {
                add(zip, part.getKey(), part.getValue());
            }
        }
    }

    private void add(ZipOutputStream zip, String name, String text) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(at.toEpochMilli());
        zip.putNextEntry(entry);
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private String manifest() {
        StringBuilder text = new StringBuilder("What a Holdfast server knows about itself\n\n");
        text.append("server  " + server + "\nasked   " + at + "\n");
        text.append("by      Java " + System.getProperty("java.version") + " on " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + "\n\n");
        contents.keySet().forEach(name -> text.append("there    " + name + "  " + PARTS.get(name) + "\n"));
        missing.forEach(part ->
                text.append("missing  " + part.name() + "  " + PARTS.get(part.name()) + ": " + part.why() + "\n"));
        return text
                + "\nSecrets in settings and log lines are masked (***). Names of locks, callers and hosts are not.\n";
    }
}
