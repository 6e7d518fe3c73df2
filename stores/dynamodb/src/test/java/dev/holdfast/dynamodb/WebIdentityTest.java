package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.testkit.process.JavaProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As EKS gives a pod the role of its service account: a file with a token, and the name of the role. */
@DisplayName("with a web identity")
class WebIdentityTest {
    private static final String ROLE = """
            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
              <AssumeRoleWithWebIdentityResult>
                <Credentials>
                  <AccessKeyId>ASIAEXAMPLE</AccessKeyId>
                  <SecretAccessKey>secret</SecretAccessKey>
                  <SessionToken>session</SessionToken>
                  <Expiration>2999-01-01T00:00:00Z</Expiration>
                </Credentials>
              </AssumeRoleWithWebIdentityResult>
            </AssumeRoleWithWebIdentityResponse>
            """;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** Stands for AWS's service of tokens. */
    private HttpServer tokens() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] answer = ROLE.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/xml");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    @DisplayName("a store opens in the role that the token is for")
    void opens(@TempDir Path home) throws Exception {
        HttpServer server = tokens();
        try {
            Path token = Files.writeString(home.resolve("token"), "a-token-of-kubernetes");
            Map<String, String> variables = Map.of(
                    "AWS_REGION",
                    Dynamo.REGION,
                    "AWS_WEB_IDENTITY_TOKEN_FILE",
                    token.toString(),
                    "AWS_ROLE_ARN",
                    "arn:aws:iam::123456789012:role/locks",
                    "AWS_ENDPOINT_URL_STS",
                    "http://127.0.0.1:" + server.getAddress().getPort());
            String url = Dynamo.url(Dynamo.freshTable(), Dynamo.port());
            try (JavaProcess other = NoCredentialsTest.start(home, variables, url)) {
                other.exit();
                assertThat(other.output()).contains("opened");
            }
            assertThat(asked)
                    .hasSize(1)
                    .allMatch(request -> request.contains("a-token-of-kubernetes") && request.contains("role%2Flocks"));
        } finally {
            server.stop(0);
        }
    }
}
