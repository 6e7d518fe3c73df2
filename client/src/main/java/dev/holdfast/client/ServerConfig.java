package dev.holdfast.client;

import dev.holdfast.spi.StoreUrls;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which servers a client asks, and as whom. Immutable; the {@code with…} methods return a changed copy. */
public final class ServerConfig {
    /** Most servers of one client. */
    public static final int MAX_SERVERS = 16;

    private final List<URI> servers;
    private final Optional<String> token;
    private final Optional<Path> caFile;
    private final boolean listens;
    private final Optional<ClientIdentity> identity;
    private final boolean connectsForEachRequest;

    private ServerConfig(
            List<URI> given,
            Optional<String> token,
            Optional<Path> caFile,
            boolean listens,
            Optional<ClientIdentity> identity,
            boolean connectsForEachRequest) {
        this.servers = given.stream().map(ServerConfig::address).toList();
        if (servers.isEmpty() || servers.size() > MAX_SERVERS) {
            throw new IllegalArgumentException(
                    "a client has 1 to " + MAX_SERVERS + " servers, was given " + servers.size());
        }
        if (token.isPresent() && !token.get().matches("[\\x21-\\x7e]{1,16384}")) {
            throw new IllegalArgumentException(
                    "the token has characters that are not allowed; is it complete, on one line?");
        }
        this.token = token;
        this.caFile = caFile;
        this.listens = listens;
        this.identity = identity;
        this.connectsForEachRequest = connectsForEachRequest;
    }

    /** These servers, without a token. */
    public static ServerConfig of(String... servers) {
        return of(List.of(servers).stream().map(ServerConfig::uri).toList());
    }

    static ServerConfig of(List<URI> servers) {
        return new ServerConfig(servers, Optional.empty(), Optional.empty(), true, Optional.empty(), false);
    }

    /** The same with a token. */
    public ServerConfig withToken(String other) {
        return new ServerConfig(servers, Optional.of(other), caFile, listens, identity, connectsForEachRequest);
    }

    /** The same, trusting the certificates of this file. */
    public ServerConfig withCaFile(Path other) {
        return new ServerConfig(servers, token, Optional.of(other), listens, identity, connectsForEachRequest);
    }

    /** The same, learning of everything with the next renewal. */
    public ServerConfig withoutListening() {
        return new ServerConfig(servers, token, caFile, false, identity, connectsForEachRequest);
    }

    /** The same, showing this certificate. */
    public ServerConfig withIdentity(ClientIdentity other) {
        return new ServerConfig(servers, token, caFile, listens, Optional.of(other), connectsForEachRequest);
    }

    /** The same, asking only this server. */
    public ServerConfig withServer(URI other) {
        return new ServerConfig(List.of(other), token, caFile, listens, identity, connectsForEachRequest);
    }

    /**
     * The same for a process that asks a few times and ends, such as a command: a connection for each request. Keeping
     * connections costs such a process more time to start and end than it saves.
     */
    public ServerConfig withConnectionForEachRequest() {
        return new ServerConfig(servers, token, caFile, listens, identity, true);
    }

    static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw refused(text); // without the cause, which repeats the text
        }
    }

    /** Without a slash at the end, so that paths can be added. */
    private static URI address(URI server) {
        String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
        boolean http = scheme.equals("http") || scheme.equals("https");
        if (!http || server.getHost() == null || server.getRawQuery() != null || server.getRawFragment() != null) {
            throw refused(server.toString());
        }
        if (server.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the address of a server must not contain a user; give the token separately (token_file,"
                            + " HOLDFAST_TOKEN)");
        }
        return URI.create(server.toString().replaceFirst("/+$", ""));
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException("'" + StoreUrls.masked(text)
                + "' is not the address of a server; write for example http://127.0.0.1:8080");
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "ServerConfig[servers=" + servers + ", token=" + (token.isPresent() ? "***" : "none") + ", caFile="
                + caFile + ", listens=" + listens + ", identity=" + identity + "]";
    }

    /** One to {@value #MAX_SERVERS} servers on the same locks; they stand in for each other. */
    public List<URI> servers() {
        return servers;
    }

    /** What the client shows to be let in: an API token or a JWT. */
    public Optional<String> token() {
        return token;
    }

    /** Certificates (PEM) to trust instead of those of the JDK. */
    public Optional<Path> caFile() {
        return caFile;
    }

    /** Whether it hears from the server at once when a lease that is renewed seldom is ended by force, over one more connection while it has such a lease; else it learns so with the next renewal. */
    public boolean listens() {
        return listens;
    }

    /** The certificate it shows to a server that asks for one. */
    public Optional<ClientIdentity> identity() {
        return identity;
    }

    /** Whether each request has a connection of its own; else they are kept and shared. */
    public boolean connectsForEachRequest() {
        return connectsForEachRequest;
    }
}
