package dev.holdfast.server;

import dev.holdfast.internal.parts.Causes;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.auth.tls.ClientCaFile;
import dev.holdfast.server.auth.tls.TlsFiles;
import dev.holdfast.server.health.CertificateCheck;
import dev.holdfast.server.http.edge.EdgeVerticle;
import dev.holdfast.server.http.edge.HttpEdge;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.audit.AuditedCaller;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port: one listening verticle per processor, certificates that are exchanged while it runs, and an orderly end. */
final class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final Vertx vertx;
    private final ServerOptions config;
    private final HttpEdge edge;
    private final Authenticator authenticator;
    private final AtomicInteger connections; // of all event loops
    private final AuditTrail trail;
    private final List<EdgeVerticle> verticles = new CopyOnWriteArrayList<>();
    private String deployment = "";
    private final Optional<TlsFiles> tls;
    private volatile Optional<ClientCaFile> clientCa = Optional.empty();
    private ServerSSLOptions newest = new ServerSSLOptions(); // guarded by this once it listens

    Listener(
            Vertx vertx,
            ServerOptions config,
            HttpEdge edge,
            Authenticator authenticator,
            AtomicInteger connections,
            AuditTrail trail) {
        this.trail = trail;
        this.vertx = vertx;
        this.config = config;
        this.edge = edge;
        this.authenticator = authenticator;
        this.connections = connections;
        // Before it listens: health tells of it from the first look on.
        this.tls = config.listen().tls().map(files -> new TlsFiles(files.certificate(), files.key(), vertx));
    }

    HttpEdge edge() {
        return edge;
    }

    void start() {
        HttpServerOptions options = EdgeVerticle.options(config.limits())
                .setHost(config.listen().host())
                .setPort(config.listen().port());
        clientCa = clients().map(clients -> new ClientCaFile(clients.authorities()));
        clientCa.ifPresent(ca -> {
            authenticator.clientAuthorities(ca.current().manager());
            options.setClientAuth(clientAuth()).setTrustOptions(ca.current().options());
        });
        tls.ifPresent(files -> options.setSsl(true).setUseAlpn(true).setKeyCertOptions(files.options()));
        listen(options);
        tls.ifPresent(files -> newest = new ServerSSLOptions()
                .setKeyCertOptions(files.options())
                .setUseAlpn(true)
                .setClientAuth(clientAuth()));
        clientCa.ifPresent(ca -> newest.setTrustOptions(ca.current().options()));
        tls.ifPresent(files -> files.watch(reloadEvery(), this::exchange));
        clientCa.ifPresent(ca -> ca.watch(reloadEvery(), this::exchange));
    }

    private Optional<ServerOptions.ClientCertificateOptions> clients() {
        return config.listen().tls().flatMap(ServerOptions.Tls::clients);
    }

    private ClientAuth clientAuth() {
        return clients()
                .map(clients -> clients.required() ? ClientAuth.REQUIRED : ClientAuth.REQUEST)
                .orElse(ClientAuth.NONE);
    }

    private Duration reloadEvery() {
        return config.listen().tls().orElseThrow().reloadEvery();
    }

    private void listen(HttpServerOptions options) {
        Supplier<EdgeVerticle> next = () -> {
            EdgeVerticle verticle = new EdgeVerticle(edge, new HttpServerOptions(options), connections);
            verticles.add(verticle);
            return verticle;
        };
        try {
            deployment = await(vertx.deployVerticle(
                    next,
                    new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors())));
        } catch (CompletionException e) {
            throw ListenAddress.of(config.listen()).refused(Causes.of(e));
        }
    }

    private synchronized void exchange(PemKeyCertOptions pair) {
        newest = newest.copy().setKeyCertOptions(pair);
        exchange();
    }

    /** Those before count no more from now on, also on connections that are open. */
    private synchronized void exchange(ClientCaFile.Authorities authorities) {
        authenticator.clientAuthorities(authorities.manager());
        newest = newest.copy().setTrustOptions(authorities.options());
        exchange();
    }

    private void exchange() {
        for (EdgeVerticle verticle : verticles) {
            await(verticle.certificates(newest.copy()));
        }
        trail.record(AuditEntry.done(
                AuditEntry.Action.CONFIG_CHANGED,
                AuditedCaller.SERVER,
                "server.tls.certificate",
                Map.of("why", "the file changed")));
    }

    /** The certificate it shows; empty for plain HTTP. */
    Optional<CertificateCheck.InUse> certificate() {
        return tls.map(files -> new CertificateCheck.InUse(files.expires(), files.complaint()));
    }

    void reload() {
        tls.ifPresent(TlsFiles::lookNow);
        clientCa.ifPresent(ClientCaFile::lookNow);
    }

    int port() {
        return verticles.get(0).port();
    }

    /** Known callers are told to go elsewhere. */
    void stopIntake() {
        edge.stopping();
    }

    /** Closes the port once what is under way has ended, or the grace is over. */
    void close(Duration grace) {
        tls.ifPresent(TlsFiles::close);
        clientCa.ifPresent(ClientCaFile::close);
        if (deployment.isEmpty()) {
            return; // it never listened, so nothing is under way
        }
        try {
            edge.idle().get(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn(
                    "Some requests did not end within {} s and are cut off (server.shutdown-grace)", grace.toSeconds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // it only completes
        }
        await(vertx.undeploy(deployment));
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
