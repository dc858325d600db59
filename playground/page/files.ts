// The files that the library sees: a few in memory, by name. Answers the part of WASI that wasi-libc asks for; what a
// library of impacts has no business with is answered by "not supported".

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, NOENT = 44, NOSYS = 52;
const FOLDER = 3; // the one folder that is open from the beginning

interface Open { file: File; at: number; append: boolean }
class File {
  bytes = new Uint8Array(0);
  length = 0;

  write(at: number, from: Uint8Array): void {
    const end = at + from.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.bytes.length, 4096));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.bytes.set(from, at);
    this.length = Math.max(this.length, end);
  }
}

export class Files {
  private readonly byName = new Map<string, File>();
  private readonly open = new Map<number, Open>();
  private next = FOLDER + 1;
  memory!: WebAssembly.Memory;

  put(name: string, bytes: Uint8Array): void {
    const file = new File();
    file.write(0, bytes);
    this.byName.set(name, file);
  }

  /** The bytes of a file; undefined: there is none. */
  get(name: string): Uint8Array | undefined {
    const file = this.byName.get(name);
    return file?.bytes.subarray(0, file.length);
  }

  private view(): DataView { return new DataView(this.memory.buffer); }
  private text(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length)).replace(/^(\.?\/)+/, "");
  }

  /** The pieces of memory that a list of vectors names. */
  private pieces(list: number, count: number): Uint8Array[] {
    const view = this.view();
    return Array.from({ length: count }, (_, i) => new Uint8Array(this.memory.buffer, view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)));
  }

  private status(at: number, file: File | null): void {
    const view = this.view();
    new Uint8Array(this.memory.buffer, at, 64).fill(0);
    view.setUint8(at + 16, file ? 4 : 3); // a plain file, a folder
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(file?.length ?? 0), true);
  }

  private openFile(name: string, flags: number, append: boolean, to: number): number {
    const create = flags & 1, folder = flags & 2, fresh = flags & 4, empty = flags & 8;
    let file = this.byName.get(name);
    if (folder || (!file && !create)) return NOENT;
    if (file && fresh) return EXIST;
    if (!file || empty) this.byName.set(name, (file = new File()));
    this.open.set(this.next, { file, at: 0, append });
    this.view().setUint32(to, this.next++, true);
    return OK;
  }

  private seek(fd: number, offset: bigint, whence: number, to: number): number {
    const open = this.open.get(fd);
    if (!open) return BADF;
    const at = Number(offset) + (whence === 0 ? 0 : whence === 1 ? open.at : open.file.length);
    if (at < 0) return INVAL;
    open.at = at;
    this.view().setBigUint64(to, BigInt(at), true);
    return OK;
  }

  private read(fd: number, list: number, count: number, to: number): number {
    const open = this.open.get(fd);
    if (!open) return BADF;
    let total = 0;
    for (const piece of this.pieces(list, count)) {
      const got = open.file.bytes.subarray(open.at, Math.min(open.file.length, open.at + piece.length));
      piece.set(got);
      open.at += got.length;
      total += got.length;
    }
    this.view().setUint32(to, total, true);
    return OK;
  }

  private write(fd: number, list: number, count: number, to: number): number {
    const open = this.open.get(fd);
    if (!open && fd !== 1 && fd !== 2) return BADF; // nobody reads what is printed: the library prints nothing
    let total = 0;
    for (const piece of this.pieces(list, count)) {
      if (open) {
        if (open.append) open.at = open.file.length;
        open.file.write(open.at, piece);
        open.at += piece.length;
      }
      total += piece.length;
    }
    this.view().setUint32(to, total, true);
    return OK;
  }

  private rename(from: string, to: string): number {
    const file = this.byName.get(from);
    if (!file) return NOENT;
    this.byName.delete(from);
    this.byName.set(to, file);
    return OK;
  }

  /** What the module imports. */
  imports(): Record<string, (...values: any[]) => number> {
    const nothing = (count: number, size: number) => { this.view().setUint32(count, 0, true); this.view().setUint32(size, 0, true); return OK; };
    return {
      environ_get: () => OK,
      environ_sizes_get: nothing,
      clock_time_get: (_clock: number, _precision: bigint, to: number) => {
        this.view().setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
        return OK;
      },
      fd_close: (fd: number) => (this.open.delete(fd) ? OK : BADF),
      fd_fdstat_get: (fd: number, to: number) => {
        if (fd !== FOLDER && !this.open.has(fd) && fd > 2) return BADF;
        new Uint8Array(this.memory.buffer, to, 24).fill(0);
        this.view().setUint8(to, fd === FOLDER ? 3 : fd > 2 ? 4 : 2);
        this.view().setBigUint64(to + 8, 0x1fffffffn, true);
        this.view().setBigUint64(to + 16, 0x1fffffffn, true);
        return OK;
      },
      fd_fdstat_set_flags: () => OK,
      fd_filestat_get: (fd: number, to: number) => {
        const open = this.open.get(fd);
        if (!open) return BADF;
        this.status(to, open.file);
        return OK;
      },
      fd_prestat_get: (fd: number, to: number) => {
        if (fd !== FOLDER) return BADF;
        this.view().setUint32(to, 0, true);
        this.view().setUint32(to + 4, 1, true);
        return OK;
      },
      fd_prestat_dir_name: (fd: number, to: number) => {
        if (fd !== FOLDER) return BADF;
        this.view().setUint8(to, 0x2f);
        return OK;
      },
      fd_read: (fd: number, list: number, count: number, to: number) => this.read(fd, list, count, to),
      fd_write: (fd: number, list: number, count: number, to: number) => this.write(fd, list, count, to),
      fd_seek: (fd: number, offset: bigint, whence: number, to: number) => this.seek(fd, offset, whence, to),
      path_open: (_fd: number, _follow: number, name: number, length: number, flags: number, _rights: bigint, _inherited: bigint, fdflags: number, to: number) =>
        this.openFile(this.text(name, length), flags, (fdflags & 1) !== 0, to),
      path_filestat_get: (_fd: number, _follow: number, name: number, length: number, to: number) => {
        const file = this.byName.get(this.text(name, length));
        if (!file) return NOENT;
        this.status(to, file);
        return OK;
      },
      path_rename: (_fd: number, from: number, fromLength: number, _to: number, to: number, toLength: number) =>
        this.rename(this.text(from, fromLength), this.text(to, toLength)),
      path_unlink_file: (_fd: number, name: number, length: number) => (this.byName.delete(this.text(name, length)) ? OK : NOENT),
      proc_exit: () => { throw new Error("the library has ended"); },
      not_supported: () => NOSYS,
    };
  }
}
