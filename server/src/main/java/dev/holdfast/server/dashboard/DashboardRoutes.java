package dev.holdfast.server.dashboard;

import dev.holdfast.dashboard.DashboardFile;
import dev.holdfast.dashboard.DashboardFiles;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code GET /}, {@code /ui/PAGE} and {@code /ui/files/VERSION/FILE}: the dashboard. */
public final class DashboardRoutes {
    private static final String FILES = "/ui/files";

    /**
     * Only what comes from here is run, shown or asked, and no text becomes markup: the only templates are those of Lit. No script,
     * style or handler may stand in the page itself.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types lit-html";

    private final String version;
    private final Map<String, FileReply> files;
    private final FileReply page;

    private DashboardRoutes(DashboardFiles files, DashboardOptions options) {
        this.version = files.version();
        this.files = files.all().stream()
                .collect(Collectors.toMap(
                        DashboardFile::name,
                        file -> new FileReply(
                                file, reply -> reply.header("Cache-Control", "public, max-age=31536000, immutable"))));
        this.page = new FileReply(
                files.page(FILES, options.readOnly()),
                reply -> reply.header("Content-Security-Policy", POLICY)
                        .header("Referrer-Policy", "no-referrer")
                        .header("Cross-Origin-Opener-Policy", "same-origin")
                        .header("Cache-Control", "no-cache"));
    }

    public static List<Route> routes(DashboardOptions options) {
        DashboardRoutes all = new DashboardRoutes(DashboardFiles.load(), options);
        return List.of(
                Route.get("/", all.page::to).open(),
                Route.get("/ui/{page}", all::page).open(),
                Route.get(FILES + "/{version}/{file}", all::file).open());
    }

    private CompletableFuture<Reply> page(Call call) {
        if (!DashboardFiles.PAGES.contains(call.name("page"))) {
            throw nothing("The dashboard has no such page; it begins at /");
        }
        return page.to(call);
    }

    private CompletableFuture<Reply> file(Call call) {
        FileReply file = files.get(call.name("file"));
        if (file == null || !call.name("version").equals(version)) {
            throw nothing("The dashboard has no such file in this version of the server; load the page again");
        }
        return file.to(call);
    }

    private static Problem.Refused nothing(String detail) {
        return Problem.refusal(404, "not-found", detail);
    }

    /** A file as it is sent: made when somebody first asks for it, so that no start waits for it, and then kept. */
    private record FileReply(DashboardFile file, Function<Reply, Reply> headers, Map<Boolean, Reply> byGzip) {
        FileReply(DashboardFile file, Function<Reply, Reply> headers) {
            this(file, headers, new ConcurrentHashMap<>());
        }

        CompletableFuture<Reply> to(Call call) {
            boolean takesGzip = call.header("Accept-Encoding")
                    .map(value -> value.toLowerCase(Locale.ROOT).contains("gzip"))
                    .orElse(false);
            return CompletableFuture.completedFuture(byGzip.computeIfAbsent(takesGzip, this::reply));
        }

        private Reply reply(boolean gzip) {
            Buffer bytes = Buffer.buffer(gzip ? file.gzip() : file.plain());
            Reply reply = headers.apply(Reply.bytes(200, file.contentType(), bytes));
            return (gzip ? reply.header("Content-Encoding", "gzip") : reply).header("Vary", "Accept-Encoding");
        }
    }
}
