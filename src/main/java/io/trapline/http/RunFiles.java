package io.trapline.http;

import akka.NotUsed;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import akka.stream.ActorAttributes;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;

/** The files of a run's directory, byte for byte. */
final class RunFiles {
    private static final int CHUNK = 64 * 1024;

    private RunFiles() {}

    /**
     * A file with its digest; blocks while that is made. A journal that is being written is served as long as it is now.
     *
     * @throws Refusal 404 when the run has no such file, or none yet
     */
    static HttpResponse answer(Path directory, String name) throws IOException {
        RunFile file = RunFile.named(name)
                .orElseThrow(() ->
                        Refusal.of(StatusCodes.NOT_FOUND, "a run has no file " + name + ", only " + RunFile.names()));
        Path path = directory.resolve(file.fileName());
        try {
            long size = Files.size(path);
            return HttpResponse.create()
                    .withEntity(HttpEntities.create(ContentTypes.parse(file.contentType()), size, bytes(path, size)))
                    .addHeader(RawHeader.create(Digest.HEADER, digest(path, size)))
                    .addHeader(RawHeader.create("Cache-Control", "no-cache"));
        } catch (NoSuchFileException e) {
            throw Refusal.of(StatusCodes.NOT_FOUND, "the run has no " + name + (file.isReport() ? " yet" : ""));
        }
    }

    private static String digest(Path path, long size) throws IOException {
        MessageDigest digest = Digest.begin();
        try (InputStream in = Files.newInputStream(path)) {
            long left = size;
            for (byte[] chunk = next(in, left); chunk.length > 0; chunk = next(in, left)) {
                digest.update(chunk);
                left -= chunk.length;
            }
        }
        return Digest.headerValue(digest);
    }

    private static Source<ByteString, NotUsed> bytes(Path path, long size) {
        return Source.unfoldResource(() -> new Rest(Files.newInputStream(path), size), Rest::read, Rest::close)
                .withAttributes(ActorAttributes.dispatcher(HttpServer.BLOCKING));
    }

    private static byte[] next(InputStream in, long left) throws IOException {
        return in.readNBytes((int) Math.min(CHUNK, left));
    }

    /** What is still to be sent of a file. */
    private static final class Rest {
        private final InputStream in;
        private long left;

        private Rest(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        private Optional<ByteString> read() throws IOException {
            byte[] chunk = next(in, left);
            left -= chunk.length;
            return chunk.length == 0 ? Optional.empty() : Optional.of(ByteString.fromArray(chunk));
        }

        private void close() throws IOException {
            in.close();
        }
    }
}
