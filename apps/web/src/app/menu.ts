/** How a menu looks. */
export const menuClass =
  "z-40 max-h-96 min-w-56 max-w-80 overflow-auto rounded-md border border-line bg-raised p-1 text-sm shadow-raised";
/** How something in it looks. */
export const menuItemClass =
  "flex h-9 cursor-pointer select-none items-center gap-2 rounded-sm px-2.5 outline-none data-[highlighted]:bg-hover md:h-8";
