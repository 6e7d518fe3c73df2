package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.Connector;
import dev.holdfast.LockService;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Connects to servers by URL: {@code http://host:8080}, several separated by commas, and behind the last one
 * {@code ?token_file=…&ca_file=…}, or {@code ?client_cert=…&client_key=…} for a certificate instead of a token. A token in the URL itself is refused: URLs end up in logs.
 */
public final class ServerConnector implements Connector {
    @Override
    public boolean accepts(String url) {
        return url.startsWith("http://") || url.startsWith("https://");
    }

    @Override
    public String example() {
        return "https://locks.example.com?token_file=token";
    }

    @Override
    public LockService connect(String url, ClientConfig config) {
        return ServerLocks.connect(config(url), config);
    }

    static ServerConfig config(String url) {
        int question = url.indexOf('?');
        List<URI> servers = new ArrayList<>();
        for (String server : (question < 0 ? url : url.substring(0, question)).split(",", -1)) {
            servers.add(ServerConfig.uri(server.strip()));
        }
        ServerConfig found = ServerConfig.of(servers);
        if (question < 0) {
            return found;
        }
        Map<String, String> given = new HashMap<>();
        for (String parameter : url.substring(question + 1).split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            given.put(name, URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
            found = switch (name) {
                case "token_file" -> found.withToken(token(path(given, name).orElseThrow()));
                case "ca_file" -> found.withCaFile(path(given, name).orElseThrow());
                case "listen" -> listening(found, given.getOrDefault(name, ""));
                case "client_cert", "client_key" -> found; // together, below
                default ->
                    throw new IllegalArgumentException(
                            "parameter '" + name
                                    + "' of a server's address is unknown; there are 'token_file', 'ca_file', 'client_cert', 'client_key' and 'listen'");
            };
        }
        return ClientIdentity.of(
                        path(given, "client_cert"),
                        path(given, "client_key"),
                        "'client_cert' and 'client_key' of a server's address")
                .map(found::withIdentity)
                .orElse(found);
    }

    private static ServerConfig listening(ServerConfig config, String value) {
        return switch (value) {
            case "true" -> config;
            case "false" -> config.withoutListening();
            default -> throw new IllegalArgumentException("listen '" + value + "' must be true or false");
        };
    }

    private static Optional<Path> path(Map<String, String> given, String name) {
        try {
            return Optional.ofNullable(given.get(name)).map(Path::of);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    name + " '" + given.get(name) + "' is not a path here: " + e.getReason(), e);
        }
    }

    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("the token cannot be read from '" + file + "': " + e, e);
        }
    }
}
